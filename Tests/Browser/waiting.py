"""Waiting for a condition. The tests pause between two looks at something here, and nowhere else."""

import time

from processes import TIMEOUT


def until(find, why="it never came", seconds=TIMEOUT):
    """What `find` gives as soon as it is something; `why` may be a function that says what went wrong."""
    end = time.monotonic() + seconds
    while not (found := find()):
        assert time.monotonic() < end, why() if callable(why) else why
        time.sleep(0.02)
    return found
