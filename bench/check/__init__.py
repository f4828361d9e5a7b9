"""Commands that look for faults: fuzzing, checked builds, runs that are killed and resumed.

Modules:

    estimates.py   how often the intervals of estimates hold the truth
    fuzz.py        input that breaks something, guided by the code that it reaches
    sanitize.py    the kernels' tests, with every check on and under sanitizers
    soak.py        runs that are killed again and again, resumed, and compared
    targets/       what the fuzzer runs: properties that hold for any bytes
"""
