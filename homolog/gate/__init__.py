"""What is refused before any library reads it."""
