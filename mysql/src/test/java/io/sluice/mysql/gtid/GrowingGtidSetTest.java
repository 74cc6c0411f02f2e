package io.sluice.mysql.gtid;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrowingGtidSetTest {
    /** Several sources and tags, each with gaps, some of which are filled later. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void growsLikeAPlainSetAndIsImmutable(long seed) {
        Random random = new Random(seed);
        String first = "00000000-0000-0000-0000-000000000001:1-5:8-9";
        MySqlIntervals reference = MySqlIntervals.parse(first);
        MySqlGtidSet set = MySqlGtidSet.parse(first);
        List<MySqlGtidSet> states = new ArrayList<>(List.of(set));
        List<String> texts = new ArrayList<>(List.of(reference.toString()));
        long[] next = new long[seed < 3 ? 12 : 150]; // more than there are runs
        for (int i = 0; i < 2_000; i++) {
            int source = random.nextInt(next.length);
            next[source] += random.nextInt(20) == 0 ? 3 : random.nextInt(30) == 0 && next[source] > 3 ? -2 : 1;
            MySqlGtid gtid = new MySqlGtid(new UUID(0, source / 2), source % 2 == 0 ? "" : "tag", 10 + next[source]);

            reference.add(gtid.source(), gtid.tag(), gtid.number(), gtid.number());
            set = set.plus(gtid);

            states.add(set);
            texts.add(reference.toString());
        }
        for (int i = 0; i < states.size(); i++) {
            assertThat(states.get(i)).as("seed %d, state %d", seed, i).hasToString(texts.get(i));
            assertThat(states.get(i)).as("seed %d, state %d", seed, i).isEqualTo(MySqlGtidSet.parse(texts.get(i)));
        }
    }

    /** As each transaction of a stream needs it, and sometimes that of a set before it; gaps are closed, and transactions come twice. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void eachTextIsThatOfAllIntervals(long seed) {
        Random random = new Random(seed);
        int sources = 1 + random.nextInt(seed < 5 ? 12 : 90);
        MySqlIntervals reference = new MySqlIntervals();
        for (int i = 0; i < 3 * sources; i++) {
            long from = 1L + random.nextInt(400);
            reference.add(new UUID(i, random.nextInt(sources)), "", from, from + random.nextInt(5));
            reference.add(new UUID(0, random.nextInt(sources)), random.nextBoolean() ? "" : "tag", from, from);
        }
        MySqlGtidSet set = MySqlGtidSet.parse(reference.toString());
        reference = MySqlIntervals.parse(reference.toString());
        List<MySqlGtidSet> states = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        long[] next = new long[2 * sources];
        for (int i = 0; i < 3_000; i++) {
            int run = random.nextInt(100) < 80 ? 0 : random.nextInt(next.length);
            next[run] = Math.max(1, next[run] + (random.nextInt(30) == 0 ? random.nextInt(9) - 4 : 1));
            MySqlGtid gtid = new MySqlGtid(new UUID(0, run / 2), run % 2 == 0 ? "" : "tag", next[run]);

            reference.add(gtid.source(), gtid.tag(), gtid.number(), gtid.number());
            set = set.plus(gtid);

            assertThat(set).as("seed %d, transaction %d", seed, i).hasToString(reference.toString());
            states.add(set);
            texts.add(reference.toString());
            int earlier = random.nextInt(states.size());
            if (random.nextInt(10) == 0) {
                assertThat(states.get(earlier))
                        .as("seed %d, state %d", seed, earlier)
                        .hasToString(texts.get(earlier));
            }
        }
    }

    @Test
    void theTextFollowsARunUntilItJoinsTheNextInterval() {
        String uuid = "00000000-0000-0000-0000-000000000001";
        MySqlGtidSet set = MySqlGtidSet.parse(uuid + ":1-3:9-10");
        List<String> texts = new ArrayList<>();
        for (long number : List.of(5L, 6L, 7L, 4L, 8L, 11L, 12L)) {
            set = set.plus(new MySqlGtid(new UUID(0, 1), number));
            texts.add(set.toString().substring(uuid.length()));
        }
        assertThat(texts)
                .containsExactly(
                        ":1-3:5:9-10", ":1-3:5-6:9-10", ":1-3:5-7:9-10", ":1-7:9-10", ":1-10", ":1-11", ":1-12");
    }

    /** A store keeps the set of each transaction that waits for a consumer: tens of thousands of them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 9, 30, 150})
    void setsOfManyServersShareWhatDidNotChange(int writers) {
        MySqlGtidSet set = ofServers(1_000);
        List<MySqlGtidSet> kept = new ArrayList<>();
        long before = usedBytes();
        for (int i = 0; i < 5_000; i++) {
            set = set.plus(new MySqlGtid(new UUID(0, i % writers), 1_000_000 + i / writers));
            assertThat(set.toString()).hasSizeGreaterThan(1_000 * 36); // is not kept with each
            kept.add(set);
        }
        assertThat(usedBytes() - before).isLessThan(kept.size() * 3_000L);
        assertThat(set.count()).isEqualTo(1_000 * 7 + kept.size());
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void whetherATransactionIsInALargeSetIsKnownWithoutACopyOfIt() {
        MySqlGtidSet set = ofServers(1_000).plus(new MySqlGtid(new UUID(0, 1), 100));
        MySqlGtid inRun = new MySqlGtid(new UUID(0, 1), 100);
        MySqlGtid inBase = new MySqlGtid(new UUID(0, 999), 7);
        List<MySqlGtid> missing = List.of(
                new MySqlGtid(new UUID(0, 1), 101),
                new MySqlGtid(new UUID(0, 1), 99),
                new MySqlGtid(new UUID(0, 2), 100),
                new MySqlGtid(new UUID(0, 1), "tag", 100),
                new MySqlGtid(new UUID(1, 0), 1));
        assertThat(set.contains(inRun)).isTrue();
        assertThat(set.contains(inBase)).isTrue();
        assertThat(missing).noneMatch(set::contains);

        long before = allocatedBytes();
        for (int i = 0; i < 1_000; i++) {
            set.contains(inRun);
            set.contains(inBase);
        }
        assertThat(allocatedBytes() - before).isLessThan(1_000 * 1_000);
    }

    private static long allocatedBytes() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static MySqlGtidSet ofServers(int count) {
        MySqlGtidSet.Builder builder = new MySqlGtidSet.Builder();
        for (int i = 0; i < count; i++) {
            builder.add(new UUID(0, i), "", 1, 7);
        }
        return builder.build();
    }

    @Test
    void isEmptyUntilSomethingIsAdded() {
        MySqlGtidSet empty = MySqlGtidSet.parse("");
        assertThat(empty.isEmpty()).isTrue();
        assertThat(empty).hasToString("");
        assertThat(empty.plus(new MySqlGtid(new UUID(0, 1), 1)).isEmpty()).isFalse();
    }

    @Test
    void aMariaDbSetHasTheNewestTransactionOfEveryDomain() {
        MariaDbGtidSet gtids = MariaDbGtidSet.parse("0-1-7,3-1-2");

        assertThat(gtids.plus(MariaDbGtid.parse("0-2-8")).plus(MariaDbGtid.parse("1-1-1")))
                .hasToString("0-2-8,1-1-1,3-1-2");
        assertThat(gtids).hasToString("0-1-7,3-1-2");
        assertThat(GtidSet.parse("0-1-7,3-1-2")).isInstanceOf(MariaDbGtidSet.class);
    }
}
