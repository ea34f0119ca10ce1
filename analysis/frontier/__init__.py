"""The frontier report: its sections, options, tables and figure, from frames or of a study."""
