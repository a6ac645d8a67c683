"""Work that takes longer than an answer may: asked for here, done by workers, once in effect."""
