"""Questions answered in the background: run, recorded, compared, asked again."""
