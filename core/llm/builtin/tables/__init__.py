"""Questions over tables: read against a table's card, written as one SELECT whose values are bound."""
