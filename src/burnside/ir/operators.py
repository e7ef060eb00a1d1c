"""The operators of two numbers or truth values, by what they give. Their meaning is in ``semantics.apply_operator``."""

ARITHMETIC = ("+", "-", "*", "/", "%", "&", "|", "^", "min", "max")
ORDERINGS = ("<", "<=", ">", ">=")
EQUALITIES = ("==", "!=")
CONNECTIVES = ("=>", "<=>")
