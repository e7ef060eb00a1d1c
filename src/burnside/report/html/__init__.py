"""A report as one HTML page that needs nothing else: verdicts, traces, symmetries, pictures."""
