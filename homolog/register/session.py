"""The session that functions of the register take first; others hand it on and do nothing with it themselves."""

from sqlmodel import Session as Session
