"""Whether two questions ask for the same, and the words that turn one into its opposite."""
