"""Measuring processes behind rings: limits, privileges, files, system calls."""
