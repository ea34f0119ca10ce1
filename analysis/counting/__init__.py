"""From frames to arrays to counts: what makes ten million verdicts countable in seconds."""
