"""What makes a search smaller without changing its answers: reductions, of which a search takes a list."""
