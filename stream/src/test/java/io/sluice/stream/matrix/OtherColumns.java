package io.sluice.stream.matrix;

import io.sluice.testkit.mysql.ServerRelease;
import java.util.ArrayList;
import java.util.List;

/** JSON, geometry, vectors, what only one server has, and columns that the server computes or hides. */
final class OtherColumns {
    private OtherColumns() {}

    static MatrixTable json(ServerRelease release) {
        List<String> texts = new ArrayList<>(List.of(
                "'null'",
                "'true'",
                "'[false, 0, -1, 1, 32767, 32768, -32769, 2147483648, -9223372036854775808, 18446744073709551615]'",
                "'[0.1, -1.5, 1e100, 1e-7, 1.7976931348623157e308, 123456789.125]'",
                "'{}'",
                "'[]'",
                "'\"\"'",
                "'{\"b\": 1, \"a\": {\"c\": [1, [2, [3, {\"d\": null}]]]}, \"中\": \"😀 \\\\u0001 \\\\\" \\\\n\"}'",
                "CONCAT('\"', REPEAT('x', 127), '\"')",
                "CONCAT('\"', REPEAT('中', 6000), '\"')",
                "CONCAT('[', REPEAT('\"many members\", ', 3000), '1]')",
                "CONCAT('{\"k\": \"', REPEAT('y', 70000), '\"}')"));
        List<MatrixColumn> columns = new ArrayList<>(List.of(new MatrixColumn("j", "JSON", texts)));
        if (!release.isMariaDb()) {
            columns.add(MatrixColumn.of(
                    "special",
                    "JSON",
                    "JSON_ARRAY(CAST('2020-01-02' AS DATE), CAST('9999-12-31' AS DATE))",
                    "JSON_ARRAY(CAST('2020-01-02 03:04:05.678' AS DATETIME(3)), TIMESTAMP('1000-01-01 00:00:00'))",
                    "JSON_ARRAY(CAST('-838:59:59' AS TIME), CAST('100:00:00.000001' AS TIME(6)))",
                    "JSON_ARRAY(1.10, -0.5, 99999999999999999999999999999999999.123456789)",
                    "JSON_ARRAY(18446744073709551615, -9223372036854775808)",
                    "JSON_ARRAY(CAST(65535 AS UNSIGNED), CAST(65536 AS UNSIGNED), CAST(4294967295 AS UNSIGNED),"
                            + " CAST(4294967296 AS UNSIGNED))",
                    "JSON_OBJECT('u', CAST(4294967295 AS UNSIGNED), 'i', -2147483648, 's', -1, 'n', NULL, 'k',"
                            + " REPEAT('z', 70000), 'a', JSON_ARRAY(CAST(65536 AS UNSIGNED), REPEAT('z', 70000),"
                            + " JSON_OBJECT('o', REPEAT('x', 66000), 'u', CAST(65536 AS UNSIGNED))))",
                    "JSON_OBJECT('d', CAST('-00:00:01.5' AS TIME(1)))"));
        }
        return new MatrixTable("documents", columns);
    }

    static MatrixTable geometry(ServerRelease release) {
        List<MatrixColumn> columns = new ArrayList<>(List.of(
                MatrixColumn.of(
                        "g",
                        "GEOMETRY",
                        "ST_GeomFromText('POINT(1 2)')",
                        "ST_GeomFromText('LINESTRING(0 0, 1.5 -2)', 4326)",
                        "ST_GeomFromText('POLYGON((0 0, 0 9, 9 9, 0 0))')",
                        "ST_GeomFromText('GEOMETRYCOLLECTION(POINT(1 1), LINESTRING(0 0, 1 1))')"),
                MatrixColumn.of("p", "POINT", "ST_GeomFromText('POINT(-0.1 1e300)')"),
                MatrixColumn.of("l", "LINESTRING", "ST_GeomFromText('LINESTRING(0 0, 1 1, 2 2)')"),
                MatrixColumn.of("pg", "POLYGON", "ST_GeomFromText('POLYGON((0 0, 0 9, 9 9, 0 0))')"),
                MatrixColumn.of("mp", "MULTIPOINT", "ST_GeomFromText('MULTIPOINT(1 1, 2 2)')"),
                MatrixColumn.of("ml", "MULTILINESTRING", "ST_GeomFromText('MULTILINESTRING((1 1, 2 2))')"),
                MatrixColumn.of("mpg", "MULTIPOLYGON", "ST_GeomFromText('MULTIPOLYGON(((0 0, 0 9, 9 9, 0 0)))')"),
                MatrixColumn.of("gc", "GEOMETRYCOLLECTION", "ST_GeomFromText('GEOMETRYCOLLECTION(POINT(1 1))')")));
        if (!release.isMariaDb() && release != ServerRelease.MYSQL_5_7_22) {
            columns.add(MatrixColumn.of("srid", "POINT SRID 4326", "ST_GeomFromText('POINT(48.1 11.5)', 4326)"));
        }
        return new MatrixTable("geometries", columns);
    }

    /** Computed and hidden columns are between others, so that one too many or too few would shift those. */
    static MatrixTable computed(ServerRelease release) {
        String hidden = hasInvisible(release) ? " INVISIBLE" : "";
        List<MatrixColumn> columns = new ArrayList<>(List.of(
                MatrixColumn.of("a", "INT", "0", "1", "-2147483648", "2147483647"),
                MatrixColumn.of("a_virtual", "BIGINT GENERATED ALWAYS AS (a + 1) VIRTUAL"),
                MatrixColumn.of("hidden", "VARCHAR(20)" + hidden, "'hidden'", "''"),
                MatrixColumn.of("text_stored", "VARCHAR(60) GENERATED ALWAYS AS (CONCAT(hidden, '-', a)) STORED"),
                MatrixColumn.of("b", "DATETIME(3)", "'2020-01-02 03:04:05.678'", "'1999-12-31 23:59:59.999'"),
                MatrixColumn.of("day_virtual", "DATE GENERATED ALWAYS AS (DATE(b)) VIRTUAL"),
                MatrixColumn.of("c", "DECIMAL(10,2)", "1.50", "-99999999.99"),
                MatrixColumn.of("twice_stored", "DECIMAL(12,2) AS (c * 2) STORED"),
                MatrixColumn.of("last", "VARCHAR(20) DEFAULT 'x, (y)' COMMENT 'it''s; the, last'", "'last'", "''")));
        return new MatrixTable("computed", columns);
    }

    /** Since MySQL 8.0.23, and in every MariaDB of today. */
    private static boolean hasInvisible(ServerRelease release) {
        return release.compareTo(ServerRelease.MYSQL_8_0_31) >= 0;
    }

    /** Types that only some of the servers have; none if this one has none of its own. */
    static List<MatrixTable> own(ServerRelease release) {
        return switch (release) {
            case MYSQL_5_7_22, MYSQL_8_0_15, MYSQL_8_0_31 -> List.of();
            case MYSQL_9_7 -> List.of(vectors("STRING_TO_VECTOR"));
            case MARIADB_10_11 -> List.of(addresses(), TextColumns.compressed());
            case MARIADB_11_8 -> List.of(addresses(), TextColumns.compressed(), vectors("VEC_FromText"));
        };
    }

    private static MatrixTable vectors(String function) {
        return new MatrixTable(
                "vectors",
                List.of(
                        MatrixColumn.of("v_1", "VECTOR(1)", function + "('[0]')", function + "('[-1.5]')"),
                        MatrixColumn.of(
                                "v_3", "VECTOR(3)", function + "('[1, -2.5, 3e10]')", function + "('[0,0,0]')")));
    }

    private static MatrixTable addresses() {
        return new MatrixTable(
                "addresses",
                List.of(
                        MatrixColumn.of(
                                "u",
                                "UUID",
                                "'123e4567-e89b-12d3-a456-426614174000'",
                                "'00000000-0000-0000-0000-000000000000'",
                                "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
                                "'0190163d-8694-739b-aea5-966c26f8ad90'"),
                        MatrixColumn.of(
                                "i6",
                                "INET6",
                                "'::'",
                                "'2001:db8::ff00:42:8329'",
                                "'::ffff:192.0.2.1'",
                                "'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'"),
                        MatrixColumn.of("i4", "INET4", "'0.0.0.0'", "'192.0.2.255'", "'255.255.255.255'")));
    }
}
