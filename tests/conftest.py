"""Settings for the whole suite."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# The first example of a test may compile a kernel; time says nothing about correctness here.
settings.register_profile("plyground", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("plyground")

# A suite that was started in the background ignores Ctrl-C and hands that on to the programs that
# it starts; some tests interrupt them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
