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
    "goalkeeper": ("keeper_set", "measure_goalkeepers"),
}
"""The same for files that show several articles of one item side by side."""

ON_PLATE = ("figure",)
"""Of a set, what one file may show side by side without saying which is which."""

LOOK = ("first_look", "look_at_file")
"""What is done with a file of which nobody says what it shows."""
