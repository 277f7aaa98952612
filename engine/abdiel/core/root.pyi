# Nothing here is for Python: the other compiled modules cimport it.
