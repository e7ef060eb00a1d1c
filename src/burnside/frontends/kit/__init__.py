"""What the readers of all languages share."""
