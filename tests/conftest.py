"""Settings for the whole suite."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The first example of a test may compile a kernel; time says nothing about correctness here.
settings.register_profile("plyground", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("plyground")
