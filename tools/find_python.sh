#!/bin/sh
# Prints the first Python that really starts, is 3.11 or newer and can make virtual environments.
# Trying beats looking: a version manager may hold a python3.12 on PATH that starts nothing.
# Usage: find_python.sh [CANDIDATE...]; without candidates the usual names are tried.
[ "$#" -gt 0 ] || set -- python3.11 python3.12 python3.13 python3.14 python3 python /usr/bin/python3
for candidate in "$@"; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        echo "$candidate"
        exit 0
    fi
done
echo "No Python 3.11 or newer with venv and ensurepip was found (tried: $*)." >&2
echo "Install one (on Debian: apt-get install python3 python3-venv), or name it: make PYTHON=/path/to/python3.11" >&2
exit 1
