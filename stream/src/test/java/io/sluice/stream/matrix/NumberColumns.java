package io.sluice.stream.matrix;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Numbers at the limits of their types. */
final class NumberColumns {
    private static final int[][] DECIMALS = {
        {1, 0}, {1, 1}, {5, 1}, {9, 0}, {9, 9}, {10, 2}, {18, 9}, {19, 10}, {20, 19}, {38, 18}, {65, 0}, {65, 30},
        {30, 30}
    };

    private NumberColumns() {}

    static MatrixTable integers() {
        List<MatrixColumn> columns = new ArrayList<>();
        String[] types = {"TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT"};
        int[] bits = {8, 16, 24, 32, 64};
        for (int i = 0; i < types.length; i++) {
            BigInteger half = BigInteger.ONE.shiftLeft(bits[i] - 1);
            BigInteger all = BigInteger.ONE.shiftLeft(bits[i]).subtract(BigInteger.ONE);
            String mid = half.subtract(BigInteger.ONE).toString();
            String name = types[i].toLowerCase(Locale.ROOT);
            columns.add(MatrixColumn.of("c_" + name, types[i], half.negate().toString(), "-1", "0", "1", mid));
            columns.add(MatrixColumn.of(
                    "u_" + name, types[i] + " UNSIGNED", "0", "1", mid, half.toString(), all.toString()));
        }
        columns.add(MatrixColumn.of("flag", "BOOL", "TRUE", "FALSE", "-128"));
        columns.add(MatrixColumn.of("filled", "INT(9) UNSIGNED ZEROFILL", "0", "42", "4294967295"));
        return new MatrixTable("integers", columns);
    }

    static MatrixTable decimals() {
        List<MatrixColumn> columns = new ArrayList<>();
        for (int[] shape : DECIMALS) {
            BigDecimal largest = new BigDecimal(BigInteger.TEN.pow(shape[0]).subtract(BigInteger.ONE), shape[1]);
            String smallest = BigDecimal.ONE.movePointLeft(shape[1]).toPlainString();
            String name = "d_%d_%d".formatted(shape[0], shape[1]);
            String type = "DECIMAL(%d,%d)".formatted(shape[0], shape[1]);
            String most = largest.toPlainString();
            columns.add(MatrixColumn.of(name, type, "0", smallest, "-" + smallest, most, "-" + most, "0.1"));
            columns.add(MatrixColumn.of("u" + name, type + " UNSIGNED", "0", smallest, most));
        }
        return new MatrixTable("decimals", columns);
    }

    static MatrixTable floats() {
        return new MatrixTable(
                "floats",
                List.of(
                        MatrixColumn.of(
                                "f", "FLOAT", "0", "1.1", "-3.402823466e38", "1.175494351e-38", "16777217", "1e10"),
                        MatrixColumn.of("uf", "FLOAT UNSIGNED", "0", "0.1", "3.402823466e38"),
                        MatrixColumn.of(
                                "d",
                                "DOUBLE",
                                "-0.0e0",
                                "0.1e0",
                                "1.7976931348623157e308",
                                "2.2250738585072014e-308",
                                "-1e7",
                                "0.001e0",
                                "9007199254740993"),
                        MatrixColumn.of("f_24", "FLOAT(24)", "1.5", "-1e-3"),
                        MatrixColumn.of("f_7_3", "FLOAT(7,3)", "9999.999", "-0.001"),
                        MatrixColumn.of("d_15_5", "DOUBLE(15,5)", "9999999999.99999", "-0.00001"),
                        MatrixColumn.of("r", "REAL", "1", "-1")));
    }

    static MatrixTable bits() {
        return new MatrixTable(
                "bits",
                IntStream.rangeClosed(1, 64)
                        .mapToObj(n -> MatrixColumn.of(
                                "b" + n,
                                "BIT(" + n + ")",
                                "b'0'",
                                "b'1'",
                                "b'1" + "0".repeat(n - 1) + "'",
                                "b'" + "1".repeat(n) + "'"))
                        .toList());
    }
}
