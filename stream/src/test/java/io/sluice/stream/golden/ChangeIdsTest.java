package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.entry.Header;
import io.sluice.protocol.position.BinlogPosition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What tells the changes of recorded binlogs apart. */
class ChangeIdsTest {
    private static final Comparator<ChangeId> ORDER = Comparator.comparing(ChangeId::file)
            .thenComparing(ChangeId::offset)
            .thenComparing(ChangeId::sequence)
            .thenComparing(ChangeId::row);

    private static Stream<GoldenCase> cases(List<String> groups) throws Exception {
        List<GoldenCase> cases = new ArrayList<>(GoldenCase.all(List.of("mysql-8.0.31", "mysql-9.7"), groups));
        cases.addAll(GoldenCase.all(GoldenFileTest.MARIADB_SERVERS, groups));
        return cases.stream();
    }

    static Stream<GoldenCase> anyCases() throws Exception {
        return cases(List.of("00", "04", "05", "07", "08", "09", "11", "12"));
    }

    /** Also within compressed transactions, whose events all have one position, and where an event became two entries. */
    @ParameterizedTest
    @MethodSource("anyCases")
    void areUniqueAndInTheStreamsOrder(GoldenCase golden) throws Exception {
        List<ChangeId> ids = ids(GoldenRun.entries(golden, false));

        assertThat(ids).isSortedAccordingTo(ORDER).doesNotHaveDuplicates();
        Set<Object> byTransaction = new HashSet<>();
        for (ChangeId id : ids) {
            if (id.gtid() != null) {
                assertThat(byTransaction.add(List.of(id.gtid(), id.sequence(), id.row())))
                        .as("%s", id)
                        .isTrue();
            }
        }
    }

    static Stream<GoldenCase> manyTransactions() throws Exception {
        return cases(List.of("04-transactions", "04-rows", "09-gtid", "11-compressed", "12-mariadb-gtid"));
    }

    /** Whatever transaction a server begins with. */
    @ParameterizedTest
    @MethodSource("manyTransactions")
    void areTheSameAfterARestart(GoldenCase golden) throws Exception {
        List<Entry> entries = GoldenRun.entries(golden, false);
        List<ChangeId> all = ids(entries);
        int restarts = 0;
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).kind() == EntryKind.END) {
                Header end = io.sluice.protocol.entry.Entry.parseFrom(GoldenRun.protobuf(entries.get(i)))
                        .getHeader();
                BinlogPosition after =
                        new BinlogPosition(end.getLogfileName(), end.getLogfileOffset() + end.getEventLength());
                assertThat(ids(GoldenRun.entriesFrom(golden, after))).isEqualTo(all.subList(i + 1, all.size()));
                restarts++;
            }
        }
        assertThat(restarts).isPositive();
    }

    @ParameterizedTest
    @MethodSource("gtids")
    void nameTheirTransactions(GoldenCase golden) throws Exception {
        for (Entry entry : GoldenRun.entries(golden, false)) {
            if (entry.kind() == EntryKind.ROWS) {
                assertThat(Objects.requireNonNull(entry.changeId().gtid()))
                        .matches("[-0-9a-f]{36}:([a-z]+:)?\\d+|\\d+-\\d+-\\d+");
            }
        }
    }

    static Stream<GoldenCase> gtids() throws Exception {
        return cases(List.of("09-gtid", "12-mariadb-gtid"))
                .filter(golden -> golden.name().length() < 16);
    }

    static List<ChangeId> ids(List<Entry> entries) {
        return entries.stream().map(Entry::changeId).toList();
    }
}
