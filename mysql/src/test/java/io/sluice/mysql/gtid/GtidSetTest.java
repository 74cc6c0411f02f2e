package io.sluice.mysql.gtid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GtidSetTest {
    private static final String SOURCE = "323b686a-e4de-11f1-8f50-02fc00000001";

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    @ParameterizedTest
    @CsvSource({
        "1-3, 4, 1-4",
        "1-3, 5, 1-3:5",
        "1-3:5, 4, 1-5",
        "5-9, 1, 1:5-9",
        "1-10, 5, 1-10",
        "2-3:7-9, 6, 2-3:6-9",
    })
    void joinsIntervals(String before, long added, String after) {
        MySqlGtidSet set = MySqlGtidSet.parse(SOURCE + ":" + before);

        assertThat(set.plus(new MySqlGtid(UUID.fromString(SOURCE), added))).hasToString(SOURCE + ":" + after);
    }

    @Test
    void readsWhatMySqlPrints() {
        MySqlGtidSet set = MySqlGtidSet.parse(
                SOURCE.toUpperCase(java.util.Locale.ROOT) + ":1-5:7,\n aaaaaaaa-0000-0000-0000-00000000000a:3");

        assertThat(set.contains(new MySqlGtid(UUID.fromString(SOURCE), 7))).isTrue();
        assertThat(set.contains(new MySqlGtid(UUID.fromString(SOURCE), 6))).isFalse();
        assertThat(set.contains(new MySqlGtid(UUID.fromString("aaaaaaaa-0000-0000-0000-00000000000a"), 3)))
                .isTrue();
        assertThat(MySqlGtidSet.parse("").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                SOURCE,
                SOURCE + ":0",
                SOURCE + ":5-3",
                SOURCE + ":tag",
                SOURCE + ":1-2-3",
                "1-2:3",
                SOURCE + ":1:tag",
                SOURCE + ":a-b:1",
                SOURCE + ":tag:x:1",
                SOURCE + ":tag::1",
                SOURCE + ":1:",
                SOURCE + ":9223372036854775807"
            })
    void rejectsWhatIsNoSet(String text) {
        assertThatThrownBy(() -> MySqlGtidSet.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a GTID set");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void holdsExactlyWhatWasAdded(long seed) {
        Random random = new Random(seed);
        UUID source = UUID.fromString(SOURCE);
        MySqlGtidSet set = MySqlGtidSet.EMPTY;
        Set<Long> added = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            long number = 1L + random.nextInt(120);
            set = set.plus(new MySqlGtid(source, number));
            added.add(number);
        }

        MySqlGtidSet read = MySqlGtidSet.parse(set.toString());

        for (long number = 1; number <= 121; number++) {
            assertThat(read.contains(new MySqlGtid(source, number)))
                    .as("%d of seed %d", number, seed)
                    .isEqualTo(added.contains(number));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1-3:blue:1-2:5, 1-3:blue:1-2:5",
        "blue:1-2:5:a_9:7, a_9:7:blue:1-2:5",
        "BLUE:1, blue:1",
        "blue:1:blue:2, blue:1-2",
    })
    void readsAndPrintsTagsAsMySqlDoes(String text, String printed) {
        MySqlGtidSet set = MySqlGtidSet.parse(SOURCE + ":" + text);

        assertThat(set).hasToString(SOURCE + ":" + printed).isEqualTo(MySqlGtidSet.parse(SOURCE + ":" + printed));
        assertThat(set.hasTags()).isTrue();
    }

    @Test
    void distinguishesTaggedFromUntaggedTransactions() {
        UUID source = UUID.fromString(SOURCE);
        MySqlGtidSet set = MySqlGtidSet.parse(SOURCE + ":1-3:blue:5");

        assertThat(set.contains(new MySqlGtid(source, "blue", 5))).isTrue();
        assertThat(set.contains(new MySqlGtid(source, "Blue", 5))).isTrue();
        assertThat(set.contains(new MySqlGtid(source, 5))).isFalse();
        assertThat(set.contains(new MySqlGtid(source, "blue", 1))).isFalse();
        assertThat(set.contains(new MySqlGtid(source, "red", 1))).isFalse();
        assertThat(set.count()).isEqualTo(4);
    }

    /** The sets' own operations are those of sets of single transactions; and both forms read as they were written. */
    @ParameterizedTest
    @MethodSource("seeds")
    void unitesSubtractsAndComparesAsSetsDo(long seed) {
        Random random = new Random(seed);
        Set<MySqlGtid> left = anyTransactions(random);
        Set<MySqlGtid> right = anyTransactions(random);
        MySqlGtidSet a = setOf(left);
        MySqlGtidSet b = setOf(right);

        Set<MySqlGtid> union = new HashSet<>(left);
        union.addAll(right);
        Set<MySqlGtid> rest = new HashSet<>(left);
        rest.removeAll(right);
        Set<MySqlGtid> both = new HashSet<>(left);
        both.retainAll(right);
        assertThat(a.union(b)).as("seed %d", seed).isEqualTo(setOf(union));
        assertThat(a.subtract(b)).as("seed %d", seed).isEqualTo(setOf(rest));
        assertThat(a.containsAll(b)).as("seed %d", seed).isEqualTo(left.containsAll(right));
        assertThat(a.containsAll(setOf(both))).as("seed %d", seed).isTrue();
        assertThat(a.count()).as("seed %d", seed).isEqualTo(left.size());
        assertThat(a).as("seed %d", seed).isEqualTo(setOf(left));
        assertThat(setOf(left)).hasSameHashCodeAs(a);

        assertThat(MySqlGtidSet.parse(a.toString())).isEqualTo(a);
        byte[] bytes = GtidSetBytes.encode(a);
        assertThat(GtidSetBytes.decode(bytes, 0, bytes.length)).isEqualTo(a);
    }

    private static Set<MySqlGtid> anyTransactions(Random random) {
        Set<MySqlGtid> transactions = new HashSet<>();
        for (int i = random.nextInt(60); i > 0; i--) {
            UUID source = new UUID(1, random.nextInt(3));
            String tag = List.of("", "", "blue", "red_2").get(random.nextInt(4));
            transactions.add(new MySqlGtid(source, tag, 1L + random.nextInt(12)));
        }
        return transactions;
    }

    private static MySqlGtidSet setOf(Set<MySqlGtid> transactions) {
        MySqlGtidSet set = MySqlGtidSet.EMPTY;
        for (MySqlGtid gtid : transactions) {
            set = set.plus(gtid);
        }
        return set;
    }

    /** Recorded: the previous GTIDs of MySQL 8.0.31, and of 9.7, which has the form with tags even without any. */
    @ParameterizedTest
    @CsvSource({
        "0100000000000000b6c2ef44e4e711f1b24b02fc00000001010000000000000001000000000000000400000000000000",
        "0101000000000001b6c2ef44e4e711f1b24b02fc0000000100010000000000000001000000000000000400000000000000",
    })
    void readsWhatServersWrite(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);

        assertThat(GtidSetBytes.decode(bytes, 0, bytes.length)).hasToString("b6c2ef44-e4e7-11f1-b24b-02fc00000001:1-3");
    }

    @Test
    void writesTheOldFormWithoutTagsAndTheNewOneWithThem() {
        assertThat(GtidSetBytes.encode(MySqlGtidSet.parse("b6c2ef44-e4e7-11f1-b24b-02fc00000001:1-3")))
                .asHexString()
                .isEqualToIgnoringCase(
                        "0100000000000000b6c2ef44e4e711f1b24b02fc00000001010000000000000001000000000000000400000000000000");
        assertThat(GtidSetBytes.encode(MySqlGtidSet.parse("b6c2ef44-e4e7-11f1-b24b-02fc00000001:a:1-3")))
                .asHexString()
                .isEqualToIgnoringCase(
                        "0101000000000001b6c2ef44e4e711f1b24b02fc000000010261010000000000000001000000000000000400000000000000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01",
                "0100000000000000b6c2",
                "000000000000000000",
                "0101000000000001b6c2ef44e4e711f1b24b02fc00000001013100000000000000",
                "0100000000000000b6c2ef44e4e711f1b24b02fc00000001010000000000000004000000000000000400000000000000",
            })
    void rejectsBytesThatAreNoSet(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);

        assertThatThrownBy(() -> GtidSetBytes.decode(bytes, 0, bytes.length))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(".*(GTID|interval).*");
    }

    @Test
    void aTransactionWithAnotherTagIsNotContained() {
        UUID source = UUID.fromString(SOURCE);
        MySqlGtidSet set =
                MySqlGtidSet.EMPTY.plus(new MySqlGtid(source, "blue", 1)).plus(new MySqlGtid(source, 5));

        assertThat(set.contains(new MySqlGtid(source, "blue", 1))).isTrue();
        assertThat(set.contains(new MySqlGtid(source, 5))).isTrue();
        assertThat(set.contains(new MySqlGtid(source, 1))).isFalse();
        assertThat(set.contains(new MySqlGtid(source, "blue", 5))).isFalse();
        assertThat(set.contains(new MySqlGtid(source, "red", 1))).isFalse();
    }

    /** The highest bit is no sign. */
    @Test
    void theBytesAreInTheOrderOfTheUuids() {
        String low = "7fffffff-ffff-ffff-ffff-ffffffffffff";
        String high = "80000000-0000-0000-0000-000000000000";

        byte[] bytes = GtidSetBytes.encode(MySqlGtidSet.parse(high + ":1," + low + ":1"));

        assertThat(bytes[8]).isEqualTo((byte) 0x7F);
        assertThat(GtidSetBytes.decode(bytes, 0, bytes.length))
                .isEqualTo(MySqlGtidSet.parse(low + ":1," + high + ":1"));
    }

    @Test
    void aSetOfManyServersIsSortedAndShortenedInMessages() {
        List<String> servers = IntStream.range(0, 100)
                .mapToObj(i -> "%02d11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7".formatted(i))
                .toList();

        assertThat(ShortenedGtidSet.of(MySqlGtidSet.parse(String.join(",", servers))))
                .isEqualTo(String.join(",", servers.subList(0, 9)) + " and those of 91 more servers");
        assertThat(ShortenedGtidSet.of(MySqlGtidSet.parse(servers.get(1) + "," + servers.get(0))))
                .isEqualTo(servers.get(0) + "," + servers.get(1));
        assertThat(ShortenedGtidSet.of(MariaDbGtidSet.parse("2-1-7,10-1-3"))).isEqualTo("2-1-7,10-1-3");
        String domains = IntStream.range(10, 110).mapToObj(i -> i + "-1-7").collect(Collectors.joining(","));
        assertThat(ShortenedGtidSet.of(MariaDbGtidSet.parse(domains))).endsWith(" more domains");
    }

    @Test
    void aSetOfManyIntervalsIsShortenedInMessages() {
        String server = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
        String intervals = IntStream.range(1, 5000).mapToObj(i -> ":" + 2 * i).collect(Collectors.joining());

        assertThat(ShortenedGtidSet.of(MySqlGtidSet.parse(server + intervals)))
                .startsWith(server + ":2:4:6:")
                .endsWith(":…")
                .hasSizeLessThan(410);
        assertThat(ShortenedGtidSet.of(MySqlGtidSet.parse(server + intervals + ",4" + server.substring(1) + ":1")))
                .endsWith(":… and those of 1 more servers");
    }
}
