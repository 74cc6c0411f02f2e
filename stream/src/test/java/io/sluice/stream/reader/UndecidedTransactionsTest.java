package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.LogFile;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.mysql.transaction.Xid;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.stream.event.Event;
import io.sluice.stream.xa.HeldEvents;
import io.sluice.stream.xa.HeldSpace;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UndecidedTransactionsTest {
    private static final Xid A = new Xid("61", "", 1);
    private static final Xid B = new Xid("62", "", 1);

    @AutoClose
    private final LogLines log = LogLines.of(UndecidedTransactions.class);

    private final HandTime time = new HandTime();
    private final UndecidedTransactions undecided = new UndecidedTransactions(time);

    @Test
    void theOldestHoldsTheCursor() {
        add(A, 100);
        add(B, 200);
        assertThat(undecided.start().position().offset()).isEqualTo(100);
        undecided.remove(A, "XA COMMIT");
        assertThat(undecided.start().position().offset()).isEqualTo(200);
        undecided.remove(B, "XA COMMIT");
        assertThat(undecided.start()).isNull();
    }

    @Test
    void oneThatIsUndecidedForLongIsReportedNowAndThen() {
        add(A, 100);
        undecided.lookNow();
        time.passSeconds(299);
        undecided.lookNow();
        assertThat(log.texts()).isEmpty();
        time.passSeconds(1);
        undecided.lookNow();
        assertThat(log.texts())
                .singleElement()
                .asString()
                .contains("xid=X'61',X'',1", "f:100", "age_s=300", "XA RECOVER");
        time.passSeconds(599);
        undecided.report(seconds());
        assertThat(log.texts()).hasSize(1);
        time.passSeconds(1);
        undecided.report(seconds());
        assertThat(log.texts()).hasSize(2);
        undecided.remove(A, "XA ROLLBACK");
        assertThat(log.texts()).hasSize(3).last().asString().contains("was decided", "XA ROLLBACK");
    }

    /** While an old binlog is read, the time of day says nothing of how long one was undecided. */
    @Test
    void theAgeIsMeasuredByBinlogTime() {
        add(A, 100);
        long then = seconds();
        time.passSeconds(1_000_000);
        undecided.report(then + 20);
        assertThat(log.texts()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {-7_200, 7_200})
    void theAgeOfAnIdleSourceIsByItsClock(long ahead) {
        undecided.setSourceClock(ahead * 1_000);
        add(A, 100, seconds() + ahead);
        undecided.lookNow();
        time.passSeconds(299);
        undecided.lookNow();
        assertThat(log.texts()).isEmpty();

        time.passSeconds(1);
        undecided.lookNow();

        assertThat(log.texts()).singleElement().asString().contains("age_s=300");
    }

    @Test
    void anXidThatIsPreparedAgainReplacesTheFirst() {
        add(A, 100);
        add(B, 200);
        add(A, 300);
        assertThat(undecided.start().position().offset()).isEqualTo(200);
        assertThat(undecided.get(A).start().position().offset()).isEqualTo(300);
        assertThat(log.texts()).singleElement().asString().contains("prepared again", "f:100");
    }

    private void add(Xid xid, long offset) {
        add(xid, offset, seconds());
    }

    private void add(Xid xid, long offset, long prepared) {
        Boundary start =
                new Boundary(SourceServer.at("db", 3306), new BinlogPosition("f", offset), null, 1, 0, null, 0);
        HeldTransaction transaction = new HeldTransaction(
                new HeldEvents(new HeldSpace(Path.of("none"), "xa-", 1_000)), FormatDescription.UNKNOWN, start);
        undecided.add(
                xid,
                transaction,
                prepared,
                new Event.Position(new LogFile(SourceServer.at("db", 3306), "f"), offset, offset, 1, 0));
    }

    private long seconds() {
        return time.millis() / 1_000;
    }
}
