"""What the names of a text mean: types, classes, rebecs, values that no state decides."""
