"""What can be asked about a model: one closed union of claims (``kinds``), and tasks that hold them (``task``)."""
