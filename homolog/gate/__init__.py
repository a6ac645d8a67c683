"""What is refused before any library reads it, by rules that are written down."""
