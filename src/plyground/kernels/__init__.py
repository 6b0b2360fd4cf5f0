"""The compile layer: kernel modules are plain Python, `compiled` gives their machine-code twin.

A *kernel module* is an ordinary Python module whose functions carry the `@kernel` marker. Imported
the usual way it stays plain Python: easy to step through, easy to compare with. `compiled(name)`
returns the same module compiled by Numba, with the machine code kept on disk so that the next
process does not compile again. `plain(name)` returns the uncompiled twin through the same path.

A *search template* is a kernel module that imports from a hook module (a file of documented,
empty functions). `compiled(template, {hooks: implementation})` puts a game's functions in place.
"""

from plyground.kernels.build import KernelBuildError, boundschecked, compilation, compiled, plain
from plyground.kernels.marker import kernel

__all__ = ["KernelBuildError", "boundschecked", "compilation", "compiled", "kernel", "plain"]
