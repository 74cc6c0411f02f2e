package io.sluice.store.cursor.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.FlushTimer;
import io.sluice.store.text.DurableText;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A place that does not take the cursor. Flushes come all the time; only the clock by which they are late is moved by hand. */
@Timeout(300)
class UnwrittenCursorTest {
    private static final Duration PERIOD = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final HandTime time = new HandTime();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    @AutoClose
    private final LogLines lines = LogLines.of(FlushTimer.class);

    private final Place place = new Place();
    private final CountDownLatch answered = new CountDownLatch(1);
    private volatile boolean isFull;
    private volatile boolean losesAnswers;
    private volatile boolean hangs;
    private FileCursorStore store;

    @BeforeEach
    void open() {
        store = FileCursorStore.open(place, "shop", scheduler, PERIOD, time);
        store.subscribe(1001, "");
        await().until(() -> place.text.contains("1001"));
    }

    @AfterEach
    void close() {
        answered.countDown();
        store.close();
        scheduler.shutdownNow();
    }

    @Test
    void itIsKnownForHowLongItCouldNotBeWrittenAndLoggedEveryTenMinutes() {
        isFull = true;
        store.save(1001, position(1));
        await().until(() -> lines.texts().size() == 1);
        time.pass(LONG.minusSeconds(1));
        assertThat(store.unwritten()).isEqualTo(LONG.minusSeconds(1).minus(PERIOD));
        time.passSeconds(2);
        await().until(() -> lines.texts().size() == 2);
        time.pass(LONG);
        await().until(() -> lines.texts().size() == 3);
        assertThat(store.unwritten()).isGreaterThan(LONG.multipliedBy(2));

        isFull = false;
        await().until(() -> lines.texts().size() == 4);
        assertThat(store.unwritten()).isZero();
        assertThat(place.text).contains("\"position\":1,");
        assertThat(lines.texts().get(0))
                .startsWith(
                        "the cursor is not written, entries will be delivered again after a restart: location=a disk")
                .contains("No space left on device");
        assertThat(lines.texts().get(1)).startsWith("the cursor is still not written: location=a disk minutes=10");
        assertThat(lines.texts().get(2))
                .startsWith("the cursor is still not written: location=a disk minutes=20")
                .contains("No space left on device");
        assertThat(lines.texts().get(3)).isEqualTo("the cursor is written again: location=a disk");
    }

    /** As a network file system whose server is gone: nothing fails, and nothing is written. */
    @Test
    void aWriteThatHangsCountsToo() {
        hangs = true;
        store.save(1001, position(1));
        await().until(() -> place.isAsked);
        time.pass(LONG);
        assertThat(store.unwritten()).isGreaterThan(LONG.minusSeconds(1));

        answered.countDown();
        await().until(() -> store.unwritten().isZero());
    }

    /** As when the file is renamed and its directory cannot be forced: the cursor may be in place, though it was reported as not written. */
    @Test
    void whatWasThereBeforeAnUncertainWriteIsWrittenAgain() {
        store.save(1001, position(1));
        await().until(() -> place.text.contains("\"position\":1,"));
        losesAnswers = true;
        store.save(1001, position(2));
        await().until(() -> lines.texts().size() == 1);
        assertThat(place.text).contains("\"position\":2,");
        store.save(1001, position(1));
        losesAnswers = false;

        await().until(() -> lines.texts().size() == 2);
        assertThat(place.text).contains("\"position\":1,");
    }

    @Test
    void nothingNewIsNotLate() {
        time.pass(LONG);

        await().until(() -> store.unwritten().isZero());
        assertThat(lines.texts()).isEmpty();
    }

    private static Cursor position(long offset) {
        return new Cursor("localhost", 3306, new BinlogPosition("mysql-bin.000001", offset), "", 1, 1700000000000L);
    }

    private final class Place implements DurableText {
        private volatile String text = "";
        private volatile boolean isAsked;

        @Override
        public String location() {
            return "a disk";
        }

        @Override
        public String read() throws IOException {
            throw new NoSuchFileException("none yet");
        }

        @Override
        public void replace(String next) throws IOException {
            if (hangs) {
                isAsked = true;
                try {
                    answered.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            if (isFull) {
                throw new IOException("No space left on device");
            }
            text = next;
            if (losesAnswers) {
                throw new IOException("the directory cannot be forced");
            }
        }
    }
}
