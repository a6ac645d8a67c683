"""What the lengths of a reference are called between the process that reads it and the one that asked."""

DIAMETER = "reference.diameter"
DISTANCE = "reference.distance"
