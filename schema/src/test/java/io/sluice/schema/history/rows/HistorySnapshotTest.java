package io.sluice.schema.history.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.gtid.GtidSet;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HistorySnapshotTest {
    private static final String SERVER = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final String A = "uuid-a";
    private static final String B = "uuid-b";
    private static final String FILE = "binlog.000001";
    private static final long TIME = 1_700_000_000_000L;

    private static HistorySnapshot snapshot(long id, String source, long offset, @Nullable String executed) {
        return new HistorySnapshot(
                id, position(source, offset, TIME, ""), executed == null ? null : GtidSet.parse(executed), 0, 0);
    }

    private static HistoryPosition position(String source, long offset, long timeMillis, String gtid) {
        return new HistoryPosition(source, FILE, offset, "1", timeMillis, gtid);
    }

    private static StreamStart start(String source, long offset, @Nullable String executed) {
        return StreamStart.at(source, FILE, offset, 1, TIME)
                .after(executed == null ? null : GtidSet.parse(executed), executed != null);
    }

    private static String transactions(String numbers) {
        return SERVER + ":" + numbers;
    }

    /** As of a start on another server that was known by GTIDs only, and whose binlog is longer. */
    @Test
    void transactionsDecideBeforePositions() throws IOException {
        HistorySnapshot snapshot = snapshot(1, A, 9_000, transactions("1-10"));

        assertThat(snapshot.covers(position(A, 100, TIME, transactions("10")), TransactionOrder.UNKNOWN))
                .isTrue();
        assertThat(snapshot.covers(position(A, 8_000, TIME, transactions("11")), TransactionOrder.UNKNOWN))
                .isFalse();
        assertThat(snapshot.covers(position(B, 8_000, TIME - 1000, transactions("11")), TransactionOrder.UNKNOWN))
                .isFalse();
        assertThat(snapshot.covers(position(B, 8_000, TIME + 1000, transactions("9")), TransactionOrder.UNKNOWN))
                .isTrue();
        assertThat(snapshot.isAtOrBefore(start(A, 100, transactions("1-10")))).isTrue();
        assertThat(snapshot.isAtOrBefore(start(B, 100, transactions("1-9")))).isFalse();
    }

    /** A replica that applies in parallel may have later ones before others. */
    @Test
    void transactionsAfterThePositionMayBeInASnapshot() throws IOException {
        HistorySnapshot snapshot = snapshot(1, A, 500, transactions("1-5:7"));

        assertThat(snapshot.covers(position(A, 700, TIME, transactions("7")), TransactionOrder.UNKNOWN))
                .isTrue();
        assertThat(snapshot.covers(position(A, 600, TIME, transactions("6")), TransactionOrder.UNKNOWN))
                .isFalse();
        assertThat(snapshot.isAtOrBefore(start(A, 650, transactions("1-6")))).isFalse();
    }

    @Test
    void withoutTransactionsThePositionDecides() throws IOException {
        HistorySnapshot snapshot = snapshot(1, A, 500, null);

        assertThat(snapshot.covers(position(A, 499, TIME, ""), TransactionOrder.UNKNOWN))
                .isTrue();
        assertThat(snapshot.covers(position(A, 500, TIME, ""), TransactionOrder.UNKNOWN))
                .isFalse();
        assertThat(snapshot.covers(position(B, 1, TIME, ""), TransactionOrder.UNKNOWN))
                .as("in the same second")
                .isFalse();
        assertThat(snapshot.covers(position(B, 1, TIME - 1000, ""), TransactionOrder.UNKNOWN))
                .isTrue();
        assertThat(snapshot.isAtOrBefore(start(A, 500, null))).isTrue();
        assertThat(snapshot.isAtOrBefore(start(A, 499, null))).isFalse();
        assertThat(snapshot(1, A, 500, transactions("1-5")).isAtOrBefore(start(A, 499, null)))
                .isFalse();
    }

    @Test
    void numbersOfTransactionsTellTheOrderWithinASecond() throws IOException {
        HistorySnapshot snapshot = new HistorySnapshot(1, position(A, 500, TIME, transactions("7")), null, 0, 0);

        assertThat(snapshot.covers(position(B, 9_000, TIME, transactions("6")), TransactionOrder.UNKNOWN))
                .isTrue();
        assertThat(snapshot.covers(position(B, 100, TIME - 1000, transactions("8")), TransactionOrder.UNKNOWN))
                .isFalse();
    }

    @Test
    void theOneWithMoreTransactionsIsNewer() throws IOException {
        HistorySnapshot fewer = snapshot(2, A, 900, transactions("1-5"));
        HistorySnapshot more = snapshot(1, B, 100, transactions("1-6"));

        assertThat(more.isNewer(fewer, TransactionOrder.UNKNOWN)).isTrue();
        assertThat(fewer.isNewer(more, TransactionOrder.UNKNOWN)).isFalse();
    }

    /** Such as one with schemas that an operator had reloaded, after a fail-over. */
    @Test
    void theOneThatWasWrittenLastIsNewerAtTheSameTime() throws IOException {
        HistorySnapshot first = snapshot(1, A, 100, null);
        HistorySnapshot second = snapshot(2, B, 900, null);

        assertThat(second.isNewer(first, TransactionOrder.UNKNOWN)).isTrue();
        assertThat(first.isNewer(second, TransactionOrder.UNKNOWN)).isFalse();
        assertThat(snapshot(1, A, 101, null).isNewer(snapshot(2, A, 100, null), TransactionOrder.UNKNOWN))
                .isTrue();
    }

    /** Each may number on its own; in another binlog there is nothing else that tells. */
    @Test
    void positionsDecideWhereSeveralServersWriteOneDomainOfMariaDb() throws IOException {
        HistorySnapshot snapshot = snapshot(1, A, 500, "0-2-60");

        assertThat(snapshot.isAtOrBefore(start(A, 300, "0-1-100"))).isFalse();
        assertThat(snapshot.isAtOrBefore(start(A, 700, "0-1-50"))).isTrue();
        assertThat(snapshot.isAtOrBefore(start(A, 300, "0-2-61"))).isTrue();
        assertThat(snapshot.isAtOrBefore(start(B, 300, "0-1-100"))).isTrue();
        assertThat(snapshot.covers(position(A, 400, TIME, "0-1-100"), TransactionOrder.UNKNOWN))
                .isTrue();
        assertThat(snapshot.covers(position(A, 600, TIME, "0-1-40"), TransactionOrder.UNKNOWN))
                .isFalse();
        assertThat(snapshot.covers(position(B, 600, TIME, "0-1-40"), TransactionOrder.UNKNOWN))
                .isTrue();
        assertThat(snapshot.isNewer(snapshot(2, A, 300, "0-1-100"), TransactionOrder.UNKNOWN))
                .isTrue();
        assertThat(snapshot.isNewer(snapshot(2, B, 300, "0-1-100"), TransactionOrder.UNKNOWN))
                .isFalse();
        assertThat(position(A, 600, TIME, "0-1-40").isBefore(start(A, 500, "0-2-60")))
                .isFalse();
        assertThat(position(A, 400, TIME, "0-1-100").isBefore(start(A, 500, "0-2-60")))
                .isTrue();
        assertThat(position(A, 600, TIME, "0-2-59").isBefore(start(A, 500, "0-2-60")))
                .isTrue();
    }

    /** A domain that nothing is written to any more is enough for several. */
    @Test
    void afterThePositionOfAStartInSeveralDomainsItsPlaceDecides() throws IOException {
        StreamStart start = start(A, 500, "0-1-100,5-1-7");

        assertThat(position(A, 600, TIME, "0-2-99").isBefore(start)).isFalse();
        assertThat(position(A, 600, TIME, "0-2-101").isBefore(start)).isFalse();
        assertThat(position(A, 400, TIME, "0-2-101").isBefore(start)).isTrue();
        assertThat(position(A, 600, TIME, "5-1-7").isBefore(start)).isTrue();
        assertThat(position(A, 600, TIME, "0-2-99").isBefore(start(A, 500, "0-1-100")))
                .isFalse();
    }

    /** The position is where the first domain has a transaction that is to be read, as after {@code cursor rewind --gtid}; the others begin later. */
    @Test
    void theBinlogTellsWhatIsAfterThePositionOfAStartAndIsNotRead() throws IOException {
        StreamStart start = start(A, 500, "0-1-100,5-1-7").ordered(SimulatedOrder.of("0-2-99", "0-1-100", "0-2-101"));

        assertThat(position(A, 600, TIME, "0-2-99").isBefore(start)).isTrue();
        assertThat(position(A, 700, TIME, "0-2-101").isBefore(start)).isFalse();
        assertThat(position(A, 400, TIME, "0-2-101").isBefore(start))
                .as("no domain begins before its position")
                .isTrue();
    }

    @Test
    void theBinlogTellsTheOrderOfWhatWasReadFromSeveralServersThatNumberOnTheirOwn() throws IOException {
        TransactionOrder order =
                SimulatedOrder.of("0-1-99", "0-1-100", "0-2-52", "0-2-53", "0-2-60", "0-1-150", "0-2-70", "0-1-151");
        StreamStart start = start(B, 700, "0-2-70").ordered(order);
        HistorySnapshot ofA = snapshot(3, A, 500, "0-1-100");
        HistorySnapshot ofB = snapshot(2, B, 100, "0-2-60");
        HistorySnapshot dueOfA = new HistorySnapshot(1, position(A, 400, TIME + 9_000, "0-1-150"), null, 0, 0);

        assertThat(position(A, 900, TIME + 9_000, "0-1-150").isBefore(start)).isTrue();
        assertThat(position(A, 900, TIME - 9_000, "0-1-151").isBefore(start)).isFalse();
        assertThat(ofA.isAtOrBefore(start)).isTrue();
        assertThat(dueOfA.isAtOrBefore(start)).isTrue();
        assertThat(snapshot(4, A, 100, "0-1-151").isAtOrBefore(start)).isFalse();
        assertThat(ofB.isNewer(ofA, order)).isTrue();
        assertThat(ofA.isNewer(ofB, order)).isFalse();
        assertThat(dueOfA.isNewer(ofB, order)).isTrue();
        assertThat(ofA.covers(position(B, 50, TIME - 9_000, "0-2-52"), order)).isFalse();
        assertThat(dueOfA.covers(position(B, 60, TIME + 9_999, "0-2-53"), order))
                .isTrue();
    }
}
