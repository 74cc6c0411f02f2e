package io.sluice.server.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.entry.EventType;
import io.sluice.testkit.time.HandTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TableTallyTest {
    private static final int PERIOD_SECONDS = (int) TableTally.PERIOD.toSeconds();

    private final HandTime time = new HandTime();

    @Test
    void countsRowsByKindAndBytesAndRemembersTheNewestChange() {
        TableTally tally = new TableTally(2, time);

        tally.delivered(List.of(
                CountedEntry.of(EventType.INSERT, "orders", 3, 100, 5_000),
                CountedEntry.of(EventType.UPDATE, "orders", 2, 50, 7_000),
                CountedEntry.of(EventType.DELETE, "items", 1, 10, 6_000),
                CountedEntry.of(EventType.INSERT, "orders", 1, 1, 6_000)));
        tally.delivered(List.of(CountedEntry.of(EventType.DELETE, "orders", 4, 30, 1_000)));

        assertThat(tally.tables())
                .containsExactly(
                        new TableCounts("shop", "orders", 4, 2, 4, 181, 7_000),
                        new TableCounts("shop", "items", 0, 0, 1, 10, 6_000));
        assertThat(tally.others()).isEqualTo(new TableCounts("", TableCounts.OTHERS, 0, 0, 0, 0, 0));
    }

    @Test
    void tablesOfTheSameNameInSeveralSchemasAreSeveral() {
        TableTally tally = new TableTally(2, time);
        tally.delivered(List.of(
                CountedEntry.insert("orders", 1),
                new CountedEntry(
                        EntryKind.ROWS, EventType.INSERT, "till", "orders", 2, 10, 1_000, new AtomicInteger())));

        assertThat(tally.tables()).extracting(TableCounts::schema).containsExactly("till", "shop");
    }

    /** An entry may have to walk over its rows to know how many there are, so it is asked once. */
    @Test
    void asksEachEntryOnceHoweverManyRowsItHas() {
        TableTally tally = new TableTally(1, time);
        List<CountedEntry> entries =
                List.of(CountedEntry.insert("orders", 1_000_000), CountedEntry.insert("items", 1_000_000));

        tally.delivered(List.copyOf(entries));

        assertThat(entries).extracting(entry -> entry.asked().get()).containsOnly(1);
    }

    @Test
    void whatHasNoRowsIsNotCounted() {
        TableTally tally = new TableTally(1, time);
        for (EntryKind kind : EntryKind.values()) {
            if (kind != EntryKind.ROWS) {
                tally.delivered(List.of(
                        new CountedEntry(kind, EventType.ALTER, "shop", "orders", 0, 10, 1_000, new AtomicInteger())));
            }
        }

        assertThat(tally.tables()).isEmpty();
        assertThat(tally.others().bytes()).isZero();
    }

    @Test
    void withoutACapacityNothingIsCountedAndNoEntryIsAsked() {
        TableTally tally = new TableTally(0, time);
        CountedEntry entry = CountedEntry.insert("orders", 1);

        tally.delivered(List.of(entry));

        assertThat(entry.asked()).hasValue(0);
        assertThat(tally.tables()).isEmpty();
        assertThat(tally.others().rows()).isZero();
    }

    @Test
    void moreTablesThanTheCapacityAreCountedTogether() {
        TableTally tally = new TableTally(2, time);

        tally.delivered(inserts(3, "a", "b", "c", "d", "a"));

        assertThat(tally.tables()).extracting(TableCounts::table).containsExactly("a", "b");
        assertThat(tally.tables()).extracting(TableCounts::inserts).containsExactly(6L, 3L);
        assertThat(tally.others()).isEqualTo(new TableCounts("", TableCounts.OTHERS, 6, 0, 0, 20, 1_000));
    }

    @Test
    void aBusierTableTakesThePlaceOfTheIdlestOneAndItsRowsStayAmongTheOthers() {
        TableTally tally = new TableTally(2, time);
        tally.delivered(inserts(10, "busy", "idle"));
        tally.delivered(inserts(1_000, "new"));

        time.passSeconds(PERIOD_SECONDS);
        tally.delivered(inserts(5, "new"));

        assertThat(tally.tables())
                .extracting(TableCounts::table, TableCounts::rows)
                .contains(tuple("new", 5L));
        assertThat(tally.tables()).hasSize(2);
        assertThat(tally.others().rows()).isEqualTo(1_010);
    }

    @Test
    void tablesThatAreAboutAsBusyDoNotReplaceEachOther() {
        TableTally tally = new TableTally(2, time);
        for (int period = 0; period < 20; period++) {
            tally.delivered(inserts(10, "a", "b", "c", "d"));
            tally.delivered(inserts(5, "c", "d"));
            time.passSeconds(PERIOD_SECONDS);
        }

        assertThat(tally.tables()).extracting(TableCounts::table).containsExactly("a", "b");
    }

    static LongStream seeds() {
        return LongStream.range(0, 5);
    }

    /** A few tables have most of the rows, and which ones changes after half of the time. */
    @ParameterizedTest
    @MethodSource("seeds")
    void ofAHundredThousandTablesTheBusiestAreFoundAndNoCountEverFalls(long seed) {
        Random random = new Random(seed);
        int capacity = 20;
        TableTally tally = new TableTally(capacity, time);
        long delivered = 0;
        Map<String, TableCounts> before = new HashMap<>();
        TableCounts othersBefore = tally.others();
        for (int round = 0; round < 400; round++) {
            String busy = round < 200 ? "early" : "late";
            List<Entry> entries = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                String table = random.nextInt(4) == 0 ? busy + random.nextInt(10) : "t" + random.nextInt(100_000);
                int rows = 1 + random.nextInt(3);
                entries.add(CountedEntry.insert(table, rows));
                delivered += rows;
            }
            tally.delivered(entries);
            time.passSeconds(10);

            List<TableCounts> tables = tally.tables();
            assertThat(tables).hasSizeLessThanOrEqualTo(capacity);
            assertThat(tally.held()).isLessThanOrEqualTo(5 * capacity);
            assertThat(Stream.concat(tables.stream(), Stream.of(tally.others()))
                            .mapToLong(TableCounts::rows)
                            .sum())
                    .as("seed %d", seed)
                    .isEqualTo(delivered);
            Map<String, TableCounts> now = tables.stream().collect(Collectors.toMap(TableCounts::table, one -> one));
            now.forEach((name, counts) -> {
                TableCounts earlier = before.get(name);
                if (earlier != null) {
                    assertThat(counts.rows()).isGreaterThanOrEqualTo(earlier.rows());
                    assertThat(counts.bytes()).isGreaterThanOrEqualTo(earlier.bytes());
                }
            });
            assertThat(tally.others().rows()).isGreaterThanOrEqualTo(othersBefore.rows());
            before.clear();
            before.putAll(now);
            othersBefore = tally.others();
            if (round == 199 || round == 399) {
                assertThat(now.keySet()).as("seed %d", seed).containsAll(names(busy, 10));
            }
        }
    }

    private static Collection<String> names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Entry> inserts(int rows, String... tables) {
        return Stream.of(tables)
                .map(table -> (Entry) CountedEntry.insert(table, rows))
                .toList();
    }
}
