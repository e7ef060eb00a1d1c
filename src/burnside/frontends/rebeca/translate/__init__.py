"""Classes as rules: variables, expressions and statements of the sequential model."""
