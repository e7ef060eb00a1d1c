"""Rebeca models executed without the sequential model: the judge of the front end."""
