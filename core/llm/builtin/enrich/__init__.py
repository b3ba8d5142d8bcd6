"""The rule for Enrich, precision before recall: what a text does not state outright is left to a model."""

from core.llm.builtin.enrich.enrich_rule import enrich as enrich
