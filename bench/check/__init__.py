"""Commands that look for faults: fuzzing, builds with every check on, and runs that are killed and resumed."""
