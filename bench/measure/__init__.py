"""Commands that measure one thing each, mostly as ratios within one run, and print it."""
