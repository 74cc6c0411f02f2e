package io.sluice.stream.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypeFitTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "int,text,varchar(9) | LONG,VARCHAR | 0,2",
                "int,varchar(9),text | LONG,BLOB | -",
                "int,int,int | LONG,LONG | -",
                "int,bigint,int | LONG,LONG | 0,2",
                "int unsigned,int,text | LONG,BLOB | 1,2",
                "int,date,int | LONG | -",
                "text,date | LONG | -",
                "int,text,date | LONG,DATE,DATE | -",
                "tinyint(1),smallint,mediumint(8),integer,bigint(20) | INT24,LONGLONG | 2,4",
            })
    void aChoiceCountsIfItIsTheOnlyOne(String types, String codes, String expected) {
        TableSchema table = table(types.split(","));
        TableMap map = map(
                List.of(codes.split(",")).stream().mapToInt(TypeFitTest::code).toArray());

        assertThat(indexes(table, TypeFit.onlyChoice(map, table))).isEqualTo(expected);
    }

    /** By trying all choices. */
    @Test
    void findsTheOnlyOneOfAllChoices() {
        Random random = new Random(1);
        String[] types = {"int", "text", "date"};
        int[] codes = {ColumnCode.LONG, ColumnCode.BLOB, ColumnCode.DATE};
        for (int n = 0; n < 5_000; n++) {
            int columns = 1 + random.nextInt(6);
            int[] kinds = random.ints(columns, 0, types.length).toArray();
            int wanted = 1 + random.nextInt(columns);
            int[] mapped = random.ints(wanted, 0, codes.length).toArray();
            List<String> choices = new ArrayList<>();
            for (int bits = 0; bits < 1 << columns; bits++) {
                if (Integer.bitCount(bits) == wanted && fits(kinds, mapped, bits)) {
                    choices.add(textOf(bits, columns));
                }
            }
            String[] names = new String[columns];
            for (int i = 0; i < columns; i++) {
                names[i] = types[kinds[i]];
            }
            int[] of = new int[wanted];
            for (int i = 0; i < wanted; i++) {
                of[i] = codes[mapped[i]];
            }
            TableSchema table = table(names);

            assertThat(indexes(table, TypeFit.onlyChoice(map(of), table)))
                    .as("%s of %s", List.of(choices), List.of(names))
                    .isEqualTo(choices.size() == 1 ? choices.get(0) : null);
        }
    }

    private static boolean fits(int[] kinds, int[] mapped, int bits) {
        int next = 0;
        for (int i = 0; i < kinds.length; i++) {
            if ((bits >> i & 1) == 1 && kinds[i] != mapped[next++]) {
                return false;
            }
        }
        return true;
    }

    private static String textOf(int bits, int columns) {
        List<String> indexes = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            if ((bits >> i & 1) == 1) {
                indexes.add(Integer.toString(i));
            }
        }
        return String.join(",", indexes);
    }

    private static @Nullable String indexes(TableSchema table, @Nullable List<ColumnSchema> chosen) {
        return chosen == null
                ? null
                : String.join(
                        ",",
                        chosen.stream()
                                .map(column -> Integer.toString(table.columns().indexOf(column)))
                                .toList());
    }

    private static TableSchema table(String... types) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (String type : types) {
            columns.add(new ColumnSchema("c" + columns.size(), type, false, type.contains("unsigned"), null));
        }
        return new TableSchema(new TableName("s", "t"), columns, null);
    }

    private static TableMap map(int... codes) {
        return new TableMap(1, "s", "t", codes, new int[codes.length], new boolean[codes.length], null);
    }

    private static int code(String name) {
        return switch (name) {
            case "INT24" -> ColumnCode.INT24;
            case "LONG" -> ColumnCode.LONG;
            case "LONGLONG" -> ColumnCode.LONGLONG;
            case "VARCHAR" -> ColumnCode.VARCHAR;
            case "BLOB" -> ColumnCode.BLOB;
            case "DATE" -> ColumnCode.DATE;
            default -> throw new IllegalArgumentException(name);
        };
    }
}
