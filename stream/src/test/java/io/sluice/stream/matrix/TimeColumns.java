package io.sluice.stream.matrix;

import io.sluice.testkit.mysql.ServerRelease;
import java.util.ArrayList;
import java.util.List;

/** Dates and times at the limits of their types, in all precisions. */
final class TimeColumns {
    private TimeColumns() {}

    static MatrixTable times(ServerRelease release) {
        List<MatrixColumn> columns = new ArrayList<>();
        columns.add(MatrixColumn.of("y", "YEAR", "0", "1901", "2000", "2155"));
        for (int i = 1; i <= 5; i++) { // servers do not agree on whether a YEAR has a sign
            columns.add(MatrixColumn.of("y" + i, "YEAR", "1999"));
            columns.add(MatrixColumn.of("unsigned" + i, "TINYINT UNSIGNED", "255", "0"));
            columns.add(MatrixColumn.of("signed" + i, "TINYINT", "-1", "127"));
        }
        columns.add(MatrixColumn.of(
                "day",
                "DATE",
                "'0000-00-00'",
                "'1000-01-01'",
                "'9999-12-31'",
                "'2000-02-29'",
                "'2022-00-00'",
                "'2022-09-00'",
                "'0000-01-02'"));
        for (int f = 0; f <= 6; f++) {
            String nines = fraction("999999", f);
            String one = fraction("000000".substring(0, Math.max(0, f - 1)) + "1", f);
            columns.add(MatrixColumn.of(
                    "t" + f,
                    "TIME(" + f + ")",
                    "'00:00:00'",
                    "'838:59:59'",
                    "'-838:59:59'",
                    "'-00:00:00" + one + "'",
                    "'-00:00:01" + nines + "'",
                    "'99:59:59" + nines + "'",
                    "'-100:00:00" + one + "'",
                    "'-00:00:59" + fraction("5", f) + "'"));
            columns.add(MatrixColumn.of(
                    "dt" + f,
                    "DATETIME(" + f + ")",
                    "'0000-00-00 00:00:00'",
                    "'1000-01-01 00:00:00" + one + "'",
                    "'9999-12-31 23:59:59" + nines + "'",
                    "'2023-05-00 00:00:00'",
                    "'0001-01-01 00:00:01'",
                    "'2024-02-29 12:34:56" + fraction("5", f) + "'"));
            String latest = release == ServerRelease.MARIADB_11_8 ? "2106-02-07 06:28:15" : "2038-01-19 03:14:07";
            columns.add(MatrixColumn.of(
                    "ts" + f,
                    "TIMESTAMP(" + f + ") NULL DEFAULT NULL",
                    "'0000-00-00 00:00:00'",
                    "'1970-01-01 00:00:01'",
                    "'1970-01-01 00:00:01" + nines + "'",
                    "'2038-01-19 03:14:07'",
                    "'" + latest + "'",
                    "'2024-02-29 12:34:56" + one + "'"));
        }
        return new MatrixTable("times", columns);
    }

    private static String fraction(String digits, int precision) {
        return precision == 0 ? "" : "." + digits.substring(0, Math.min(precision, digits.length()));
    }
}
