"""What is found out about the rules: ranges, initial states, claims, who knows whom."""
