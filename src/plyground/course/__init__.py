"""The course: collect submissions, judge each, rank them all; start a new one."""
