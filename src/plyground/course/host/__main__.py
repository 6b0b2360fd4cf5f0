"""`python -m plyground.course.host FOLDER GENERATION STRICT`: serve one submission."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from plyground.core.agent import Agent
from plyground.core.errors import PlygroundError
from plyground.course.host.agent import CourseAgent
from plyground.engines.host import Host, Requests
from plyground.engines.messages import EngineComplaint, encode


class CourseHost(Host):
    """The usual loop of an engine process around a submission."""

    def make_agent(self) -> Agent:
        folder, generation, strict = self.agent.split("\n")
        return CourseAgent(Path(folder), generation, strict == "strict")


def main() -> None:
    """Serve on standard input and output; prints of the submission go to standard error."""
    output = os.dup(1)
    os.dup2(2, 1)
    try:
        CourseHost("competitive-sudoku", "\n".join(sys.argv[1:4]), Requests(0), output).run()
    except BrokenPipeError:
        pass
    except PlygroundError as error:
        os.write(output, encode(EngineComplaint(message=str(error))))


if __name__ == "__main__":
    main()
