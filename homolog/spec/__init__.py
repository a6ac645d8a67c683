"""The spec language: rules as data, one complete file an item and edition."""
