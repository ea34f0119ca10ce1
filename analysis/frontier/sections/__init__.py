"""The parts of a frontier report, one file a list of the public contract."""
