"""Linear temporal logic: formulas, and automata for the infinite words that satisfy them. Knows no models."""
