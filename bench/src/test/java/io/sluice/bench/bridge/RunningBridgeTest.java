package io.sluice.bench.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bench.record.Format;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Totals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunningBridgeTest {
    private final RunningBridge running = new RunningBridge();
    private final List<String> calls = new ArrayList<>();
    private final BridgeJob job = BridgeJob.single(
            "127.0.0.1",
            3306,
            new RecordedBinlog(Path.of("data"), "binlog.000002", 4, Totals.NONE),
            "127.0.0.1:9092",
            "t",
            Format.RAW,
            Path.of("work"));

    @Test
    void aRunningBridgeIsStoppedOnce() throws IOException {
        assertThat(running.start(new Noted(false), job)).isEqualTo(7);

        running.stop();
        running.stop();

        assertThat(calls).containsExactly("start", "stop");
    }

    @Test
    void aBridgeThatFailedToStartIsStoppedToo() {
        assertThatThrownBy(() -> running.start(new Noted(true), job)).isInstanceOf(IOException.class);

        running.stop();

        assertThat(calls).containsExactly("start", "stop");
    }

    @Test
    void stopDoesNothingBeforeAStart() {
        running.stop();

        assertThat(calls).isEmpty();
    }

    /** Records calls. */
    private final class Noted implements Bridge {
        private final boolean fails;

        Noted(boolean fails) {
            this.fails = fails;
        }

        @Override
        public String name() {
            return "noted";
        }

        @Override
        public long start(BridgeJob started) throws IOException {
            calls.add("start");
            if (fails) {
                throw new IOException("it cannot start");
            }
            return 7;
        }

        @Override
        public void stop(BridgeJob stopped) {
            assertThat(stopped).isEqualTo(job);
            calls.add("stop");
        }

        @Override
        public String logTail(BridgeJob started) {
            return "";
        }
    }
}
