"""What processes do and what is true of it, by brute force: the judges of the CSP# front end and of refinement."""
