"""Starts the host of a submission under any Python from 3.9 on: `python start.py FOLDER ...`.

Only this package is made importable, not what is installed beside it: a submission finds the
libraries of the interpreter that runs it, never those of plyground.
"""

import sys
from os.path import dirname

if __name__ == "__main__":
    sys.path[0] = dirname(dirname(dirname(dirname(__file__))))  # instead of this folder
    import plyground  # noqa: F401

    sys.path.pop(0)
    from plyground.course.host.__main__ import main

    main()
