"""English superlatives that ask for the row with the highest or the lowest figure ("at least 3" for none)."""

HIGH = (
    r"(?<!\bat )most|highest|largest|biggest|greatest|longest|maximum|max|latest|newest|top|best|strongest"
    "|heaviest|fastest|deepest|hottest|warmest|tallest|thickest|widest|busiest|deadliest"
)
LOW = (
    r"(?<!\bat )least|fewest|lowest|smallest|shortest|minimum|min|earliest|oldest|worst|weakest|lightest"
    "|slowest|shallowest|coldest|thinnest|narrowest|cheapest"
)
