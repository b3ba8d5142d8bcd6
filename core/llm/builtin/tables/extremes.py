"""English superlatives that ask for the row with the highest or the lowest figure."""

HIGH = (
    "most|highest|largest|biggest|greatest|longest|maximum|max|latest|newest|top|best|strongest|heaviest|fastest"
    "|deepest|hottest|warmest|tallest|thickest|widest|busiest|deadliest"
)
LOW = (
    "least|fewest|lowest|smallest|shortest|minimum|min|earliest|oldest|worst|weakest|lightest|slowest"
    "|shallowest|coldest|thinnest|narrowest|cheapest"
)
