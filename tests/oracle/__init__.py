"""`.seq` models executed without any code of the product: the judge of every answer about random models."""
