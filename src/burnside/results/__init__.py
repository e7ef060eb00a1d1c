"""Values of answers, without rendering."""
