"""The way of the tables from one version to the next."""
