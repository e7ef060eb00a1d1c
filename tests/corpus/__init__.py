"""Models that say what is right about them, and every way of asking for it."""
