package io.sluice.stream.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.entry.TransactionBoundary;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundaryFilterTest {
    private static final long SECOND = 1_000;
    private static final LogFile FILE = new LogFile(SourceServer.at("localhost", 3306), "binlog.000001");

    private final BoundaryFilter rules = new BoundaryFilter(false);

    @Test
    void boundariesOfATransactionWithChangesPass() {
        List<Entry> transaction = List.of(begin(0), change(0), end(0));

        assertThat(rules.filter(transaction)).containsExactlyElementsOf(transaction);
    }

    @Test
    void aBeginIsHeldUntilItIsKnownWhatFollows() {
        Entry begin = begin(0);
        Entry change = change(0);

        assertThat(rules.filter(List.of(begin))).isEmpty();
        assertThat(rules.filter(List.of(change))).containsExactly(begin, change);
    }

    /** The source never committed it. */
    @Test
    void aBeginWhoseTransactionIsCutOffByTheEndOfItsFileIsLeftOut() {
        LogFile next = new LogFile(SourceServer.at("localhost", 3306), "binlog.000002");
        Entry ddl = new StatementEntry(
                new Origin(next, 4, 1, 0, 31, 0, null, true),
                EventType.CREATE,
                "shop",
                "t",
                true,
                "create table t",
                "");

        assertThat(rules.filter(List.of(begin(0)))).isEmpty();
        assertThat(rules.filter(List.of(ddl))).containsExactly(ddl);
    }

    @Test
    void ofEmptyTransactionsOneEveryFiveSecondsPasses() {
        List<Long> passed = new ArrayList<>();
        for (long second = 100; second < 130; second++) {
            for (Entry entry : rules.filter(List.of(begin(second), end(second)))) {
                passed.add(entry.executeTimeMillis() / SECOND);
            }
        }

        assertThat(passed).containsExactly(100L, 100L, 106L, 106L, 112L, 112L, 118L, 118L, 124L, 124L);
    }

    @Test
    void ofManyEmptyTransactionsInOneSecondOneIn8193Passes() {
        int passed = 0;
        for (int i = 0; i < 3 * 8_193; i++) {
            passed += rules.filter(List.of(begin(100), end(100))).size();
        }

        assertThat(passed).isEqualTo(2 * 3);
    }

    @Test
    void theEndOfATransactionWhoseChangesPassedIsNeverSwallowed() {
        Entry end = end(100);
        rules.filter(List.of(begin(100), change(100)));

        assertThat(rules.filter(List.of(end))).containsExactly(end);
    }

    @Test
    void boundariesAreThinnedIfConfigured() {
        BoundaryFilter thinning = new BoundaryFilter(true);
        List<Entry> passed = new ArrayList<>();
        for (long second = 100; second < 112; second++) {
            passed.addAll(thinning.filter(List.of(begin(second), change(second), end(second))));
        }

        assertThat(passed)
                .filteredOn(entry -> entry.kind() == io.sluice.format.entry.EntryKind.STATEMENT)
                .hasSize(12);
        assertThat(passed)
                .filteredOn(entry -> entry.kind() == io.sluice.format.entry.EntryKind.END)
                .hasSize(2);
    }

    private static Entry begin(long second) {
        return TransactionBoundary.begin(origin(second), 1);
    }

    private static Entry end(long second) {
        return TransactionBoundary.end(origin(second), 7);
    }

    private static Entry change(long second) {
        return new StatementEntry(origin(second), EventType.QUERY, "", null, null, "select 1", "");
    }

    private static Origin origin(long second) {
        return new Origin(FILE, 4, 1, second * SECOND, 31, 0, null, false);
    }
}
