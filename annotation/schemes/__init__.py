"""Label schemes: one TOML file each beside this one; a researcher adds one by dropping in a file."""

from annotation.schemes.load import available, from_canonical, load, parse
from annotation.schemes.scheme import Question, Scheme, SchemeChoice, sides_to_roles

__all__ = ["Question", "Scheme", "SchemeChoice", "available", "from_canonical", "load", "parse", "sides_to_roles"]
