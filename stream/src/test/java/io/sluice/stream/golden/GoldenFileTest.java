package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.stream.golden.Deviation.Kind;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.RecordedState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What recorded binlogs become, read from their files, is what a canal server made of them. */
class GoldenFileTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    static final List<String> MYSQL_SERVERS = List.of("mysql-5.7.22", "mysql-8.0.15", "mysql-8.0.31", "mysql-9.7");
    static final List<String> MARIADB_SERVERS = List.of("mariadb-10.11", "mariadb-11.8");
    static final List<String> GROUPS =
            List.of("00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "11", "12", "13", "14");

    private static Stream<GoldenCase> cases(Predicate<GoldenCase> wanted) throws Exception {
        List<GoldenCase> cases = new ArrayList<>(GoldenCase.all(MYSQL_SERVERS, GROUPS));
        cases.addAll(GoldenCase.all(MARIADB_SERVERS, GROUPS));
        return cases.stream().filter(wanted);
    }

    static Stream<GoldenCase> equalToTheRecord() throws Exception {
        return cases(golden -> Deviation.of(golden).isEmpty());
    }

    static Stream<GoldenCase> equalFlat() throws Exception {
        return cases(golden -> Deviation.of(golden).isEmpty() || Deviation.is(golden, Kind.MORE_ENDS));
    }

    static Stream<GoldenCase> otherValues() throws Exception {
        return cases(golden -> Deviation.is(golden, Kind.VALUES));
    }

    static Stream<GoldenCase> otherNames() throws Exception {
        return cases(golden -> Deviation.is(golden, Kind.NAMES));
    }

    static Stream<GoldenCase> otherSpelling() throws Exception {
        return cases(golden -> Deviation.is(golden, Kind.TYPE_SPELLING));
    }

    static Stream<GoldenCase> jsonDates() throws Exception {
        return cases(golden -> Deviation.is(golden, Kind.JSON_DATES));
    }

    static Stream<GoldenCase> whereCanalStopped() throws Exception {
        return cases(golden -> Deviation.is(golden, Kind.STATE));
    }

    static Stream<GoldenCase> moreEnds() throws Exception {
        return cases(golden -> Deviation.is(golden, Kind.MORE_ENDS));
    }

    static Stream<GoldenCase> moreStatements() throws Exception {
        return cases(golden -> Deviation.is(golden, Kind.MORE_STATEMENTS));
    }

    @ParameterizedTest
    @MethodSource("equalFlat")
    void flatMessagesEqualTheRecord(GoldenCase golden) throws Exception {
        assertSame(golden.flat(), asCanal(golden, withoutRun(flat(golden))));
    }

    @ParameterizedTest
    @MethodSource("equalToTheRecord")
    void rawEntriesEqualTheRecord(GoldenCase golden) throws Exception {
        List<byte[]> ours = rawAsCanal(golden);
        assertSame(readable(golden.raw()), readable(ours));
        assertThat(ours).usingElementComparator(java.util.Arrays::compare).isEqualTo(golden.raw());
    }

    @ParameterizedTest
    @MethodSource("moreStatements")
    void deliversStatementsThatWereCompressed(GoldenCase golden) throws Exception {
        List<String> more = new ArrayList<>(asCanal(golden, withoutRun(flat(golden))));
        for (String recorded : golden.flat()) {
            assertThat(more.remove(recorded)).as(recorded).isTrue();
        }
        assertThat(more).isNotEmpty().allMatch(message -> message.startsWith("{\"data\":null,"));
    }

    private static List<byte[]> rawAsCanal(GoldenCase golden) throws Exception {
        AsCanal asCanal = new AsCanal(golden);
        List<byte[]> damaged = new ArrayList<>();
        for (byte[] entry : raw(golden)) {
            damaged.add(asCanal.raw(entry));
        }
        return damaged;
    }

    private static List<String> asCanal(GoldenCase golden, List<String> messages) throws Exception {
        AsCanal asCanal = new AsCanal(golden);
        List<String> damaged = new ArrayList<>();
        for (String message : messages) {
            damaged.add(asCanal.flat(message));
        }
        return damaged;
    }

    @ParameterizedTest
    @MethodSource("otherValues")
    void valuesAreRightWhereTheRecordIsDamaged(GoldenCase golden) throws Exception {
        List<byte[]> messages = flat(golden);
        UnaryOperator<String> withoutDamaged = message ->
                withoutColumns(message, Deviation.of(golden).orElseThrow().columns());
        assertSame(map(golden.flat(), withoutDamaged), map(withoutRun(messages), withoutDamaged));
        requireFinalState(golden, messages);
    }

    @ParameterizedTest
    @MethodSource("otherNames")
    void namesAreRightWhereTheRecordHasQuotes(GoldenCase golden) throws Exception {
        List<byte[]> messages = flat(golden);
        // canal takes a table whose schema it does not find from the source.
        UnaryOperator<String> plainTypes =
                message -> withLowerCaseTypes(message).replace("int(11)", "int");
        assertSame(
                map(map(golden.flat(), GoldenFileTest::withPlainNames), plainTypes),
                map(withoutRun(messages), plainTypes));
        requireFinalState(golden, messages);
    }

    @ParameterizedTest
    @MethodSource("otherSpelling")
    void typesAreTheSameInAnotherCase(GoldenCase golden) throws Exception {
        assertSame(
                map(golden.flat(), GoldenFileTest::withLowerCaseTypes),
                map(withoutRun(flat(golden)), GoldenFileTest::withLowerCaseTypes));
    }

    @ParameterizedTest
    @MethodSource("jsonDates")
    void datesInJsonHaveNoTime(GoldenCase golden) throws Exception {
        UnaryOperator<String> withoutGbk = message -> message.replaceAll("\"c\":\"[^\"]*\"", "");
        assertSame(
                map(
                        map(golden.flat(), withoutGbk),
                        message -> message.replaceAll("(\\d{4}-\\d\\d-\\d\\d) 00:00:00\\.000000", "$1")
                                .replace("{\"id\":\"31\",\"j\":\"\\\"00:", "{\"id\":\"31\",\"j\":\"\\\"100:")),
                map(withoutRun(flat(golden)), withoutGbk));
    }

    static Stream<GoldenCase> tags() throws Exception {
        return cases(golden -> Deviation.is(golden, Kind.TAGS));
    }

    @ParameterizedTest
    @MethodSource("tags")
    void statesGtidsWithTags(GoldenCase golden) throws Exception {
        UnaryOperator<String> withoutGtids = message -> message.replaceAll("\"gtid\":\"[^\"]*\"", "");
        List<String> ours = withoutRun(flat(golden));
        assertSame(map(golden.flat(), withoutGtids), map(ours, withoutGtids));
        assertThat(ours.get(ours.size() - 1)).containsPattern("\"gtid\":\"[-0-9a-f]{36}:1-5:blue:1-2\"");
    }

    @ParameterizedTest
    @MethodSource("whereCanalStopped")
    void continuesWhereCanalStopped(GoldenCase golden) throws Exception {
        requireFinalState(golden, flat(golden));
    }

    @ParameterizedTest
    @MethodSource("moreEnds")
    void deliversEveryEndOfATransaction(GoldenCase golden) throws Exception {
        List<String> ours = readable(raw(golden));
        List<String> recorded = readable(golden.raw());
        Predicate<String> isEnd = entry -> entry.contains("entryType: TRANSACTIONEND");
        assertSame(
                recorded.stream().filter(isEnd.negate()).toList(),
                ours.stream().filter(isEnd.negate()).toList());
        List<String> ends = ours.stream().filter(isEnd).toList();
        assertThat(ends).containsAll(recorded.stream().filter(isEnd).toList());
        if (MYSQL_SERVERS.contains(golden.server())) { // others have no begins
            assertThat(ends)
                    .hasSameSizeAs(ours.stream()
                            .filter(entry -> entry.contains("entryType: TRANSACTIONBEGIN"))
                            .toList());
        }
    }

    static Stream<GoldenCase> rolledBack() throws Exception {
        return cases(golden -> Deviation.is(golden, Kind.ROLLED_BACK));
    }

    @ParameterizedTest
    @MethodSource("rolledBack")
    void rowsThatWereRolledBackAreLeftOut(GoldenCase golden) throws Exception {
        assertThat(golden.flat())
                .containsSubsequence(asCanal(golden, withoutRun(flat(golden))))
                .hasSizeGreaterThan(flat(golden).size());
        assertThat(readable(golden.raw()))
                .containsSubsequence(readable(rawAsCanal(golden)))
                .hasSizeGreaterThan(raw(golden).size());
        requireFinalState(golden, flat(golden));
    }

    private static List<byte[]> flat(GoldenCase golden) throws Exception {
        return GoldenRun.flat(GoldenRun.entries(golden, false));
    }

    private static List<byte[]> raw(GoldenCase golden) throws Exception {
        return GoldenRun.raw(GoldenRun.entries(golden, true));
    }

    private static void requireFinalState(GoldenCase golden, List<byte[]> messages) throws Exception {
        StateModel model = new StateModel(Duplicates.FORBIDDEN);
        FlatRecords records = new FlatRecords();
        for (int i = 0; i < messages.size(); i++) {
            model.apply(records.read("golden", 0, i, messages.get(i)));
        }
        assertThat(model.problems()).isEmpty();
        StateComparison.requireEqual(RecordedState.read(golden.file("state.jsonl")), model);
    }

    private static List<String> readable(List<byte[]> entries) throws Exception {
        List<String> texts = new ArrayList<>();
        for (byte[] entry : entries) {
            texts.add(io.sluice.protocol.entry.Entry.parseFrom(entry).toString());
        }
        return texts;
    }

    private static List<String> withoutRun(List<byte[]> messages) throws Exception {
        List<String> texts = new ArrayList<>();
        for (byte[] message : messages) {
            texts.add(GoldenCase.withoutRun(message));
        }
        return texts;
    }

    private static List<String> map(List<String> messages, UnaryOperator<String> change) {
        return messages.stream().map(change).toList();
    }

    /** A message without the values of some columns, and the {@code sqlType} that follows them. */
    private static String withoutColumns(String message, Set<String> columns) {
        ObjectNode copy = read(message);
        String table = copy.get("table").asText() + ".";
        Set<String> names = columns.stream()
                .filter(column -> column.startsWith(table))
                .map(column -> column.substring(table.length()))
                .collect(Collectors.toSet());
        for (String field : List.of("data", "old")) {
            for (JsonNode row : copy.get(field)) {
                if (row instanceof ObjectNode values) {
                    values.remove(names);
                }
            }
        }
        if (copy.get("sqlType") instanceof ObjectNode types) {
            types.remove(names);
        }
        return copy.toString();
    }

    private static String withLowerCaseTypes(String message) {
        ObjectNode copy = read(message);
        copy.put("mysqlType", copy.get("mysqlType").toString().toLowerCase(Locale.ROOT));
        return copy.toString();
    }

    /** A message of canal with the names that are meant: without backticks that quote, or are doubled, and decoded as UTF-8. */
    private static String withPlainNames(String message) {
        ObjectNode copy = read(message);
        for (String field : List.of("database", "table")) {
            String name = copy.get(field).asText();
            boolean isBytes = name.chars().allMatch(c -> c < 0x100);
            String read =
                    isBytes ? new String(name.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8) : name;
            String decoded = read.contains("\ufffd") ? name : read;
            copy.put(field, decoded.replaceAll("^`(.*)`$", "$1").replace("``", "`"));
        }
        for (String field : List.of("data", "old", "mysqlType", "sqlType", "pkNames")) {
            copy.set(
                    field,
                    read("{\"of\":" + copy.get(field).toString().replace("``", "`") + "}")
                            .get("of"));
        }
        return copy.toString();
    }

    private static ObjectNode read(String message) {
        try {
            return (ObjectNode) JSON.readTree(message);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** The first difference says more than both lists would. */
    private static void assertSame(List<String> expected, List<String> actual) {
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            assertThat(actual.get(i)).as("number %d", i).isEqualTo(expected.get(i));
        }
        assertThat(actual).hasSameSizeAs(expected);
    }
}
