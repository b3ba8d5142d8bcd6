"""Which queries can put into their result what no table holds."""

import pytest

from core.errors import QueryError
from core.knowledge.stores.typed_tables.query_lineage import lineage

TABLES = {"yield_t": ("_row", "month", "Line", "yield", "due"), "u t": ("_row", "Line", "q (kg)")}
FROM_COLUMNS = """
    SELECT Line, avg("yield") AS m FROM yield_t GROUP BY ALL ORDER BY 2 DESC LIMIT 3;
    SELECT y.*, "q (kg)" FROM yield_t y JOIN "u t" USING (Line);
    FROM yield_t;
    WITH t AS (SELECT * FROM yield_t) SELECT _row FROM t;
    SELECT x.a FROM (SELECT Line FROM yield_t) AS x(a);
    SELECT count(*) FILTER (WHERE Line = 'a') FROM yield_t;
    SELECT count(*) * 100.0 / (SELECT count(*) FROM yield_t) AS share FROM yield_t WHERE Line = ?;
    SELECT round(100.0 * sum(CASE WHEN Line = ? THEN 1 ELSE 0 END) / count(*), 1) AS share FROM yield_t;
    SELECT sum(CASE WHEN year(month) = ? THEN "yield" END) - sum(CASE WHEN year(month) = ? THEN "yield"
        END) AS d FROM yield_t;
    SELECT max("yield") - min("yield") AS d FROM yield_t HAVING count(*) = 2;
    SELECT (b."yield" - a."yield") / a."yield" * 100 AS growth FROM yield_t a JOIN yield_t b ON a.Line =
        b.Line;
    SELECT (b."yield" / a."yield" - 1) * 100 AS growth FROM yield_t a JOIN yield_t b ON a.Line = b.Line;
    SELECT "yield" / 1000 AS t, "yield" * 3600, ("yield" + due) / 2 FROM yield_t;
    SELECT date_diff('day', month, due) AS days, year(month), extract(month from month),
        date_trunc('month', month), strftime(month, '%Y-%m'), due - month FROM yield_t;
    SELECT Line, count(*) AS "times" FROM yield_t GROUP BY Line QUALIFY rank() OVER (ORDER BY count(*)
        DESC) = 1 AND max(count(*)) OVER () > 1 ORDER BY 2 DESC;
    SELECT DISTINCT concat_ws(' ', b.Line, b."q (kg)") AS name FROM yield_t a JOIN "u t" b ON a.Line =
        b.Line;
    SELECT Line || ', ' || month AS l FROM yield_t;
    SELECT string_agg(DISTINCT Line, ', ' ORDER BY Line) AS l FROM yield_t;
    SELECT (SELECT max("yield") FROM yield_t) - (SELECT min("q (kg)") FROM "u t") AS d;
    SELECT Line FROM yield_t UNION SELECT Line FROM "u t";
    SELECT Line, "yield" > 90 AS good FROM yield_t;
    SELECT upper(Line), trim(Line), substr(Line, 1, 2), median("yield"), quantile_cont("yield", 0.5),
        arg_max(Line, "yield"), stddev_samp("yield"), lag("yield") OVER (ORDER BY month) FROM yield_t;
    SELECT count(DISTINCT Line), any_value(Line), first(Line), sum(coalesce("yield", 0)),
        CAST(avg("yield") AS INT), abs(min("yield")) FROM yield_t;
    WITH RECURSIVE r AS (SELECT Line FROM yield_t UNION ALL SELECT u.Line FROM "u t" u JOIN r ON u.Line
        = r.Line) SELECT Line FROM r;
    SELECT Line FROM yield_t WHERE EXISTS (SELECT 1 FROM "u t" WHERE "u t".Line = yield_t.Line) AND
        (SELECT count(*) FROM "u t") = 1;
    SELECT avg(n) FROM (SELECT Line, count(*) AS n FROM yield_t GROUP BY Line);
    SELECT avg(CASE WHEN Line = 'a' THEN 1.0 ELSE 0 END) FROM yield_t;
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY "yield") FROM yield_t;
    SELECT sum("yield") OVER (ORDER BY month) AS running, row_number() OVER () FROM yield_t;
    SELECT 100 - round(100.0 * count_if(Line = 'a') / count(*), 1) FROM yield_t;
    SELECT Line AS l, "yield" AS Line FROM yield_t;
    SELECT COUNT(*) FROM (SELECT DISTINCT Line FROM yield_t WHERE "yield" > 3) q;
    SELECT CASE WHEN "yield" > 3 THEN "yield" ELSE due END FROM yield_t;
"""
MADE_UP = """
    SELECT 'Acme' AS supplier;
    SELECT 'Acme' AS supplier FROM yield_t;
    SELECT 'Acme' AS Line, "yield" FROM yield_t;
    SELECT ? AS Line FROM yield_t;
    SELECT 42;
    SELECT NULL AS Line FROM yield_t;
    SELECT CASE WHEN "yield" > 3 THEN 'Acme' ELSE Line END AS Line FROM yield_t;
    SELECT if("yield" > 3, Line, 'Acme') FROM yield_t;
    SELECT coalesce("yield", 42) FROM yield_t;
    SELECT ifnull(Line, 'Acme') FROM yield_t;
    SELECT coalesce(sum("yield"), 0) FROM yield_t;
    SELECT avg(coalesce("yield", 0)) FROM yield_t;
    SELECT v FROM (VALUES ('Acme')) t(v);
    SELECT count(*) FROM (VALUES (1), (2)) t(v);
    SELECT count(*) FROM range(42);
    SELECT count(*) FROM yield_t, range(10);
    SELECT count(*);
    SELECT unnest(['Acme']) FROM yield_t;
    SELECT "yield" * 1.07 FROM yield_t;
    SELECT "yield" + 5 FROM yield_t;
    SELECT "yield" * 0 + 42 FROM yield_t;
    SELECT 0 AS _row, Line FROM yield_t;
    SELECT * EXCLUDE (month) REPLACE ('Acme' AS Line) FROM yield_t;
    WITH t AS (SELECT 'Acme' AS Line FROM yield_t) SELECT Line FROM t;
    SELECT t.Line FROM (SELECT 'Acme' AS Line) t;
    SELECT y."yield", t.s FROM yield_t y JOIN (SELECT 'Acme' AS s) t ON true;
    SELECT Line FROM yield_t UNION ALL SELECT 'Acme';
    SELECT count(*) FROM (SELECT Line FROM yield_t UNION ALL SELECT 'x') q;
    SELECT (SELECT 'Acme') AS Line FROM yield_t;
    SELECT concat(Line, ' made by Acme') FROM yield_t;
    SELECT Line || ' kg' FROM yield_t;
    SELECT replace(Line, 'a', 'Acme') FROM yield_t;
    SELECT regexp_replace(Line, '.*', 'Acme') FROM yield_t;
    SELECT printf('%s Acme', Line) FROM yield_t;
    SELECT format('Acme {}', Line) FROM yield_t;
    SELECT lpad(Line, 20, 'Acme') FROM yield_t;
    SELECT strftime(month, 'Acme') FROM yield_t;
    SELECT chr(65) FROM yield_t;
    SELECT substr(Line, 1, 1) || substr(Line, 3, 1) FROM yield_t;
    SELECT greatest("yield", 42) FROM yield_t;
    SELECT lag(Line, 1, 'Acme') OVER (ORDER BY month) FROM yield_t;
    SELECT string_agg(Line, ' is Acme ') FROM yield_t;
    SELECT max('Acme') FROM yield_t;
    SELECT sum(42) FROM yield_t;
    SELECT sum(CASE WHEN Line = 'a' THEN 42 ELSE 0 END) FROM yield_t;
    SELECT min(CASE WHEN Line = 'a' THEN 1 END) FROM yield_t;
    SELECT 'a' = 'a' AS ok FROM yield_t;
    SELECT month + INTERVAL 90 DAY FROM yield_t;
    SELECT make_date(2025, 1, 1) FROM yield_t;
    SELECT now() FROM yield_t;
    SELECT date_diff('day', DATE '2025-01-01', due) FROM yield_t;
    SELECT power("yield", 0) FROM yield_t;
    WITH RECURSIVE r(n) AS (SELECT "yield" FROM yield_t UNION ALL SELECT n + 1 FROM r WHERE n < 3)
        SELECT n FROM r;
    SELECT COLUMNS(*) FROM yield_t;
    PIVOT yield_t ON Line USING sum("yield");
    SELECT Line FROM yield_t NATURAL JOIN (SELECT 'Acme' AS Line);
    SELECT {'a': 'Acme'} FROM yield_t;
    SELECT [Line, 'Acme'] FROM yield_t;
    SELECT nosuch FROM yield_t;
    SELECT repeat('Acme', 1) FROM yield_t;
    SELECT list_value('Acme') FROM yield_t;
    SELECT trim('Acme') FROM yield_t;
    SELECT date_part('year', DATE '2025-01-01') FROM yield_t;
    SELECT "yield" % 7 + 3 FROM yield_t;
    SELECT x FROM (SELECT 1 AS x UNION ALL SELECT "yield" FROM yield_t) q;
    SELECT y.Line, l.z FROM yield_t y, LATERAL (SELECT 'Acme' AS z) l;
    SELECT DATE '2025-01-01' AS month FROM yield_t;
    SELECT TRUE AS Line FROM yield_t;
"""


def queries(text: str) -> list[str]:
    return [" ".join(one.split()) for one in text.split(";") if one.strip()]


@pytest.mark.unit
def test_what_is_computed_from_columns_passes() -> None:
    for sql in queries(FROM_COLUMNS):
        assert lineage(sql, TABLES), sql


@pytest.mark.unit
def test_a_constant_that_can_get_into_the_result_is_refused() -> None:
    for sql in queries(MADE_UP):
        with pytest.raises(QueryError):
            pytest.fail(f"{sql}: {lineage(sql, TABLES)}")


@pytest.mark.unit
def test_a_column_is_known_by_what_it_repeats() -> None:
    own, renamed, least, number = lineage(
        'WITH t AS (SELECT Line AS a, "yield" FROM yield_t) '
        'SELECT a, a AS due, min("yield"), count(*) FROM t GROUP BY 1',
        TABLES,
    )
    assert own.copied == renamed.copied and own.copied and own.copied.column == "Line"
    assert least.copied is None and [origin.column for origin in least.origins] == ["yield"]
    assert number.origins == () and number.operation == "count"
