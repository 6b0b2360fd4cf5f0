"""`python -m plyground.course.host FOLDER GENERATION STRICT`: serve one submission."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from plyground.core.errors import PlygroundError
from plyground.course.host.service import Service
from plyground.course.host.submission import Submission


def main() -> None:
    """Serve on standard input and output; prints of the submission go to standard error."""
    folder, generation, strict = sys.argv[1:4]
    output = os.dup(1)
    os.dup2(2, 1)
    try:
        submission = Submission(Path(folder), generation)
        Service(submission, 0, output, strict=strict == "strict").run()
    except BrokenPipeError:
        pass
    except PlygroundError as error:
        os.write(output, json.dumps({"type": "error", "message": str(error)}).encode() + b"\n")


if __name__ == "__main__":
    main()
