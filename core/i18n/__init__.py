"""Texts for readers: the catalogues of the interface, and the only text that is read as markup."""
