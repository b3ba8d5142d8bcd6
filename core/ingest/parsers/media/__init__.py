"""Pictures and recordings: what is written, said or moves in them."""
