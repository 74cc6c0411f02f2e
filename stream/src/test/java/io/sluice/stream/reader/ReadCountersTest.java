package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReadCountersTest {
    private static final BinlogPosition START = new BinlogPosition("binlog.000001", 4);

    private final StreamProgress progress =
            new StreamProgress(SourceServer.at("localhost", 3306), START, new TransactionTracker(START, null));
    private final ReadCounters counters = new ReadCounters();

    @Test
    void whatWasReadIsVisibleToOtherThreadsOnceItIsPublished() {
        counters.note(100);
        counters.note(50);
        counters.see(20);
        counters.see(10);
        assertThat(counters.bytes())
                .as("the first shows at once that the source sends")
                .isEqualTo(100);
        assertThat(counters.events()).isZero();
        assertThat(counters.readTo()).isNull();

        BinlogPosition end = new BinlogPosition("binlog.000001", 154);
        counters.publish(progress, end);

        assertThat(counters.bytes()).isEqualTo(150);
        assertThat(counters.events()).isEqualTo(2);
        assertThat(counters.lastEventMillis()).as("the newest time").isEqualTo(20_000);
        assertThat(counters.readTo()).isEqualTo(end);
        assertThat(counters.newEvents()).as("none has passed").isZero();
        assertThat(counters.transactions()).isZero();
        assertThat(counters.hasAdvanced()).isFalse();
    }

    /** That may take minutes, in which no chunk is published. */
    @Test
    void whatSourcesPassOverIsCountedAtOnce() {
        AtomicLong first = new AtomicLong();
        counters.follow(new Passing(first));
        assertThat(counters.bytes()).isZero();

        first.set(3000);
        assertThat(counters.bytes()).isEqualTo(3000);
        assertThat(counters.events()).isEqualTo(3);

        AtomicLong second = new AtomicLong();
        counters.follow(new Passing(second));
        second.set(1000);
        assertThat(counters.bytes()).as("of both connections").isEqualTo(4000);
        assertThat(counters.events()).isEqualTo(4);
    }

    /** A dump beyond 4 GiB of a file begins with the file, also after it broke off. */
    @Test
    void anEventThatIsPassedOverIsNewOnce() {
        counters.follow(new Passing(new AtomicLong(3000)));
        assertThat(counters.newEvents()).isEqualTo(3);

        AtomicLong again = new AtomicLong();
        counters.follow(new Passing(again));
        again.set(3000);
        assertThat(counters.newEvents()).as("the same again").isEqualTo(3);
        again.set(4000);
        assertThat(counters.newEvents()).isEqualTo(4);
    }

    /** Has passed over events of 1000 bytes. */
    private record Passing(AtomicLong bytes) implements EventSource {
        @Override
        public Passed passed() {
            return new Passed(bytes.get() / 1000, bytes.get());
        }

        @Override
        public int next(ByteWriter out) {
            return -1;
        }

        @Override
        public boolean hasBuffered() {
            return false;
        }

        @Override
        public void close() {}
    }
}
