"""Sheets as people write them: read, refused with every fault at its place, written empty."""
