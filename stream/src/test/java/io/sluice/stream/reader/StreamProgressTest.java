package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.RotateEvent;
import io.sluice.mysql.gtid.MySqlGtid;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StreamProgressTest {
    private static final long GIB = 1L << 30;
    private static final long BEGUN = 1_700_000_000L;
    private static final String SOURCE = "323b686a-e4de-11f1-8f50-02fc00000001";

    private final BinlogPosition start = new BinlogPosition("binlog.000001", 3 * GIB);
    private final TransactionTracker transactions = new TransactionTracker(start, null);
    private final StreamProgress progress = new StreamProgress(SourceServer.at("localhost", 3306), start, transactions);

    @Test
    void countsOffsetsOnBeyondWhatHeadersHold() {
        assertThat(progress.endOf(100, 3 * GIB + 100, false)).isEqualTo(3 * GIB + 100);

        progress.pass(Step.ALONE, 3 * GIB, 4 * GIB - 10);

        assertThat(progress.endOf(60, 50, false)).isEqualTo(4 * GIB + 50);
    }

    /** A source passes over transactions that are known; then offsets grow by more than headers can tell. */
    @Test
    void readsOffsetsBeyondHeadersFromHeartbeats() {
        progress.recordHeartbeat("binlog.000001", 9 * GIB + 7, true);

        assertThat(progress.endOf(193, GIB + 200, false)).isEqualTo(9 * GIB + 200);
        assertThat(transactions.boundary()).isEqualTo(new BinlogPosition("binlog.000001", 9 * GIB + 7));
    }

    @Test
    void ignoresHeartbeatsOfOtherFilesOrWithinATransaction() {
        progress.recordHeartbeat("binlog.000002", 9 * GIB, true);
        progress.pass(Step.BEGINS, 3 * GIB, 3 * GIB);
        progress.recordHeartbeat("binlog.000001", 9 * GIB, true);

        assertThat(progress.offset()).isEqualTo(3 * GIB);
    }

    /** All of the file before is executed, so that a request by GTIDs begins in the next one, which becomes long. */
    @Test
    void aRequestByGtidsAfterOneInAnOlderFileContinuesWithTheOffsetsOfTheLaterOne() {
        MySqlGtidSet executed = MySqlGtidSet.parse(SOURCE + ":1-5");
        SourceServer server = SourceServer.at("db", 3306);
        BinlogPosition first = new BinlogPosition("binlog.000001", 5_000);
        TransactionTracker read = new TransactionTracker(first, executed);
        StreamProgress again = new StreamProgress(server, first, read);
        again.startAt(server, BinlogPosition.UNKNOWN, executed, 0);
        again.setFloor(first, BEGUN);
        again.resume(true);
        begin(again, "binlog.000002");
        read.announce(new MySqlGtid(UUID.fromString(SOURCE), 6));
        again.pass(Step.ANNOUNCES, 200, 265);
        again.pass(Step.ALONE, 265, 5 * GIB);

        again.resume(true);
        begin(again, "binlog.000002");

        assertThat(again.endOf(65, GIB + 65, false)).isEqualTo(5 * GIB + 65);
    }

    /** A dump by GTIDs leaves out what is executed, and then no more than the low 32 bits of offsets are known. */
    @Test
    void whatWasHandedOnIsKnownAgainByItsGtidThoughItsOffsetIsKnownInPartOnly() {
        MySqlGtidSet executed = MySqlGtidSet.parse(SOURCE + ":1-5");
        BinlogPosition first = new BinlogPosition("binlog.000001", 5 * GIB);
        TransactionTracker read = new TransactionTracker(first, executed);
        StreamProgress again = new StreamProgress(SourceServer.at("db", 3306), first, read);
        passOpenTransaction(again, read, 5 * GIB);
        assertThat(again.newEvents()).isEqualTo(3);

        again.resume(true);
        again.rotate(new RotateEvent("binlog.000001", 4));
        passOpenTransaction(again, read, GIB);

        assertThat(again.newEvents()).isEqualTo(3);
        again.pass(Step.ENDS, GIB + 300, GIB + 331);
        assertThat(again.newEvents()).isEqualTo(4);
    }

    private static void passOpenTransaction(StreamProgress progress, TransactionTracker transactions, long start) {
        transactions.announce(new MySqlGtid(UUID.fromString(SOURCE), 6));
        progress.pass(Step.ANNOUNCES, start, start + 65);
        progress.pass(Step.BEGINS, start + 65, start + 165);
        progress.pass(Step.WITHIN, start + 165, start + 300);
    }

    private static void begin(StreamProgress progress, String file) {
        progress.rotate(new RotateEvent(file, 4));
        progress.passFormat(126, BEGUN + 100);
        long end = progress.endOf(74, 200, true);
        progress.passHeading(end - 74, end);
    }

    /** MySQL sends a heartbeat when it has omitted executed transactions, before the first event that it sends. */
    @Test
    void oneHeartbeatBeforeEventsIsNoProgress() {
        progress.recordHeartbeat("binlog.000001", 4 * GIB, true);
        assertThat(progress.hasAdvanced()).isFalse();

        progress.pass(Step.ANNOUNCES, 4 * GIB, 4 * GIB + 80);
        progress.resume(false);
        progress.recordHeartbeat("binlog.000001", 4 * GIB, true);
        progress.pass(Step.ANNOUNCES, 4 * GIB, 4 * GIB + 80);
        progress.recordHeartbeat("binlog.000001", 4 * GIB, true);

        assertThat(progress.hasAdvanced()).isFalse();
    }

    /** As of a line that breaks in the same event each time. */
    @Test
    void onlyWhatWasNotReadBeforeIsANewEvent() {
        progress.pass(Step.BEGINS, 3 * GIB, 3 * GIB + 80);
        progress.pass(Step.WITHIN, 3 * GIB + 80, 3 * GIB + 200);
        assertThat(progress.newEvents()).isEqualTo(2);

        for (int connection = 1; connection <= 3; connection++) {
            progress.resume(false);
            progress.passHeading(4, 126);
            progress.pass(Step.BEGINS, 3 * GIB, 3 * GIB + 80);
            progress.pass(Step.WITHIN, 3 * GIB + 80, 3 * GIB + 200);
        }
        assertThat(progress.newEvents()).isEqualTo(2);

        progress.pass(Step.ENDS, 3 * GIB + 200, 3 * GIB + 300);
        progress.recordHeartbeat("binlog.000001", 4 * GIB, true);
        progress.recordHeartbeat("binlog.000001", 4 * GIB, true);

        assertThat(progress.newEvents()).isEqualTo(3);
        assertThat(progress.heartbeats()).isEqualTo(2);
    }

    @Test
    void twoHeartbeatsInARowShowThatTheSourceHasNoEvent() {
        progress.recordHeartbeat("binlog.000001", 4 * GIB, true);
        progress.recordHeartbeat("binlog.000001", 4 * GIB, true);

        assertThat(progress.hasAdvanced()).isTrue();
    }
}
