"""Readers that turn what passed a gate into one triangle mesh, inside the measuring process only."""
