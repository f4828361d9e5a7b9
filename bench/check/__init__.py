"""Commands that look for faults: fuzzing, checked builds, runs that are killed and resumed."""
