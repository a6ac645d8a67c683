"""Which items can be measured from a scan, and where: module of this room and function, loaded in the measuring process only."""

from __future__ import annotations

ITEMS = {
    "goalkeeper": ("keeper", "measure_goalkeeper"),
    "ball": ("ball", "measure_ball"),
    "goal": ("goal", "measure_goal"),
    "figure": ("figure", "measure_figure"),
}

SETS = {
    "figure": ("figure_set", "measure_figures"),
}
"""The same for files that show several articles of one item side by side."""

LOOK = ("first_look", "look_at_file")
"""What is done with a file of which nobody says what it shows."""
