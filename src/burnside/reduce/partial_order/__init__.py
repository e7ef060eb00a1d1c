"""Partial-order reduction: of steps that can be taken in any order, some orders are enough."""
