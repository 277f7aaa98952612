"""How fast the rooms are: suites for `pytest bench`, one file a subject.

    pytest bench                            the figures, a rate for each at the end
    pytest bench --benchmark-autosave       save them too, under .benchmarks/
    pytest bench --benchmark-compare        the same, beside the last saved run
    pytest bench --benchmark-disable        each once, without measuring: do they still run?

Each benchmark does a known number of operations and records its median rate as extra
information, so a saved run holds it too. What is called from Python includes the price of the call.
"""
