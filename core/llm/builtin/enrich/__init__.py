"""The rule for Enrich, precision before recall: what is not plainly said is left to a model."""

from core.llm.builtin.enrich.enrich_rule import enrich as enrich
