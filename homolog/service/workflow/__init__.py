"""The way of a type from its application to the register: events in, state, next steps and new events out; no storage."""
