"""Frames a report is made from: pairs, verdicts, labels and targets, from the database or from files."""
