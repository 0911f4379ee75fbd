"""What ends the benchmark, in one line."""

USAGE, DATA, NO_INPUT, UNAVAILABLE = 64, 65, 66, 69


class Failure(Exception):
    """Ends the program with one line on standard error and this exit code."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
