package io.sluice.schema.history.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.RowSelection;
import io.sluice.schema.history.rows.TransactionOrder;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that were written by streams which began again at older positions, and on other servers. */
class OrderedRowsTest {
    private static final long TIME = 1_700_000_000_000L;

    @TempDir
    private Path folder;

    private static HistoryRow row(String source, long index, boolean definition) {
        String file = "binlog.%06d".formatted(999_998 + index / 2_000); // also one of seven digits
        HistoryPosition position =
                new HistoryPosition(source, file, 4 + index % 2_000 * 100, "1", TIME + index * 1_000, "");
        Map<String, String> extra = new HashMap<>(Map.of(HistoryRow.SOURCE, source));
        if (definition) {
            extra.put(HistoryRow.KIND, HistoryRow.DEFINITION);
        }
        return new HistoryRow(0, position, "shop", "shop", "t", source + " " + index, "ALTER", extra);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void comeInTheOrderOfTheirBinlog(long seed) throws IOException {
        Random random = new Random(seed);
        List<HistoryRow> written = new ArrayList<>();
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h.sqlite"))) {
            HistoryTables tables = new HistoryTables(database, "shop");
            tables.create();
            database.atomically(
                    () -> { // one, since it would synchronize for each
                        Map<String, Long> positions = new HashMap<>(Map.of("a", 3_000L, "b", 3_000L));
                        String source = "a";
                        for (int i = 0; i < 3_000; i++) {
                            if (random.nextInt(300) == 0) {
                                source = source.equals("a") ? "b" : "a";
                            }
                            boolean restarts = random.nextInt(200) == 0;
                            long index = positions.get(source);
                            index = restarts ? random.nextInt((int) index) : index + 1 + random.nextInt(3);
                            positions.put(source, index);
                            HistoryRow row = row(source, index, false);
                            if (written.stream().noneMatch(other -> other.text().equals(row.text()))) {
                                written.add(row);
                                insert(database, i + 1, row);
                            }
                        }
                    });
            List<HistoryRow> read = new ArrayList<>();
            OrderedRows rows = new OrderedRows(tables, RowSelection.ALL, TransactionOrder.UNKNOWN, position -> true);
            rows.forEach(read::add);

            assertThat(rows.hasSeveralBinlogs()).isTrue();
            assertThat(read).as("seed %d", seed).hasSameSizeAs(written);
            for (String source : List.of("a", "b")) {
                List<String> expected = written.stream()
                        .filter(row -> row.position().source().equals(source))
                        .sorted(Comparator.comparing(HistoryRow::position, HistoryPosition.IN_BINLOG))
                        .map(HistoryRow::text)
                        .toList();
                assertThat(read.stream()
                                .filter(row -> row.position().source().equals(source))
                                .map(HistoryRow::text))
                        .as("seed %d, source %s", seed, source)
                        .isEqualTo(expected);
            }
            assertThat(read)
                    .as("time ascends in each binlog here, so it does in all")
                    .isSortedAccordingTo(
                            Comparator.comparingLong(row -> row.position().timeMillis()));
        }
    }

    /** Rows that are large are read a few at a time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void areReadInSmallerPagesIfThoseAreTooLarge(int most) throws IOException {
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h.sqlite"))) {
            new HistoryTables(database, "shop").create();
            for (int i = 1; i <= 20; i++) {
                insert(database, i, row("a", i, false));
            }
            HistoryTables tables = new HistoryTables(withPagesOfAtMost(most, database), "shop");
            List<String> read = new ArrayList<>();

            new OrderedRows(tables, RowSelection.ALL, TransactionOrder.UNKNOWN, position -> true)
                    .forEach(row -> read.add(row.text()));

            assertThat(read)
                    .isEqualTo(
                            IntStream.rangeClosed(1, 20).mapToObj(i -> "a " + i).toList());
        }
    }

    @Test
    void aSingleRowThatIsTooLargeIsAFailure() throws IOException {
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h.sqlite"))) {
            new HistoryTables(database, "shop").create();
            insert(database, 1, row("a", 1, false));
            HistoryTables tables = new HistoryTables(withPagesOfAtMost(0, database), "shop");
            OrderedRows rows = new OrderedRows(tables, RowSelection.ALL, TransactionOrder.UNKNOWN, position -> true);

            assertThatThrownBy(() -> rows.forEach(row -> {}))
                    .isInstanceOf(SourceException.class)
                    .hasMessage("too large");
        }
    }

    /** A database that fails as the one in MySQL does if it is asked for more rows with their texts. */
    private static HistoryDatabase withPagesOfAtMost(int most, SqliteDatabase database) {
        return (HistoryDatabase) Proxy.newProxyInstance(
                OrderedRowsTest.class.getClassLoader(),
                new Class<?>[] {HistoryDatabase.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("query") && ((String) arguments[0]).contains("sql_text")) {
                        Object[] values = (Object[]) arguments[1];
                        if ((int) values[values.length - 1] > most) {
                            throw new SourceException(
                                    SourceFailure.HISTORY_UNREACHABLE,
                                    "too large",
                                    "raise the heap",
                                    new ResultTooLargeException("too large", "raise the heap"));
                        }
                    }
                    return method.invoke(database, arguments);
                });
    }

    /** As of a fail-over between two DDL of one second; the servers' names do not decide. */
    @ParameterizedTest
    @CsvSource({
        "a, b, 3e11fa47-71ca-11e1-9e33-c80aa9429562:9, 3e11fa47-71ca-11e1-9e33-c80aa9429562:10, false",
        "b, a, 3e11fa47-71ca-11e1-9e33-c80aa9429562:9, 3e11fa47-71ca-11e1-9e33-c80aa9429562:10, true",
        "b, a, 0-1-9, 0-2-10, true",
        "a, b, 0-1-9, 0-2-10, false",
        "b, a, '', '', false",
        "a, b, '', '', false"
    })
    void inOneSecondTransactionsAreInTheOrderOfTheirNumbersAndOthersAsTheyWereWritten(
            String firstSource, String secondSource, String firstGtid, String secondGtid, boolean isSecondWrittenFirst)
            throws IOException {
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h.sqlite"))) {
            HistoryTables tables = new HistoryTables(database, "shop");
            tables.create();
            HistoryRow early = row("c", 1, false);
            insert(database, 1, early);
            insertAt(database, isSecondWrittenFirst ? 3 : 2, firstSource, firstGtid, "first");
            insertAt(database, isSecondWrittenFirst ? 2 : 3, secondSource, secondGtid, "second");
            List<String> read = new ArrayList<>();

            new OrderedRows(tables, RowSelection.ALL, TransactionOrder.UNKNOWN, position -> true)
                    .forEach(row -> read.add(row.text()));

            assertThat(read).containsExactly(early.text(), "first", "second");
        }
    }

    private static void insertAt(SqliteDatabase database, long id, String source, String gtid, String text) {
        database.update(
                "insert into meta_history (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id,"
                        + " binlog_timestamp, sql_text, extra) values (?, 0, 0, 'shop', 'binlog.000001', 4, ?, ?, ?, ?)",
                id,
                source,
                TIME + 5_000,
                text,
                "{\"source\":\"%s\",\"gtid\":\"%s\"}".formatted(source, gtid));
    }

    private static void insert(SqliteDatabase database, long id, HistoryRow row) {
        database.update(
                "insert into meta_history (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id,"
                        + " binlog_timestamp, sql_text, extra) values (?, 0, 0, 'shop', ?, ?, ?, ?, ?, ?)",
                id,
                row.position().file(),
                row.position().offset(),
                row.position().source(), // both servers have files of the same names
                row.position().timeMillis(),
                row.text(),
                "{\"source\":\"%s\"}".formatted(row.position().source()));
    }

    /** A list of all rows gives the same answers as what is remembered of them. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void lookUpsMatchAListOfAllRows(long seed) {
        Random random = new Random(seed);
        TableName table = new TableName("shop", "t");
        TableName schema = new TableName("shop", "");
        RecalledDefinitions recalled = new RecalledDefinitions();
        List<HistoryRow> rows = new ArrayList<>();
        List<Set<TableName>> touched = new ArrayList<>();
        for (int i = 1; i < 400; i++) {
            HistoryRow plain = row("a", i * 10L, random.nextInt(12) == 0);
            HistoryRow row = new HistoryRow(
                    i,
                    plain.position(),
                    plain.useSchema(),
                    plain.sqlSchema(),
                    plain.sqlTable(),
                    plain.text(),
                    plain.type(),
                    plain.extra());
            rows.add(row);
            touched.add(random.nextInt(15) == 0 ? Set.of(schema) : Set.of(table));
            recalled.add(row, row.isDefinition() ? Set.of() : touched.get(touched.size() - 1));
        }
        for (int i = 0; i < 400; i++) {
            HistoryPosition now = row("a", random.nextInt(4_100), false).position();
            long expected = -1;
            boolean schemaChanges = false;
            for (int r = 0; r < rows.size() && expected < 0; r++) {
                HistoryRow row = rows.get(r);
                boolean isToCome = HistoryPosition.IN_BINLOG.compare(row.position(), now) >= 0;
                boolean isOfTheEvent = row.position().equals(now);
                if (isToCome && row.isDefinition()) {
                    expected = schemaChanges ? 0 : row.id();
                } else if (isToCome && !isOfTheEvent && touched.get(r).contains(table)) {
                    expected = 0;
                } else if (isToCome && !isOfTheEvent) {
                    schemaChanges = true;
                }
            }
            assertThat(recalled.at(now, 100, table))
                    .as("seed %d at %s", seed, now)
                    .isEqualTo(Math.max(0, expected));
        }
        assertThat(recalled.size()).isLessThan(150);
    }
}
