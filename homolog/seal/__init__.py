"""The seal: keys, signatures, the log that only grows, and what holds of a file that somebody shows.

No database, no clock, no network: times, bytes and answers of a log are handed in. Each module is imported by its own name,
because the libraries behind them are heavy and few callers need all of them.
"""
