package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.testkit.junit.Seeded;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recorded events, which come in runs of any length. */
class ChunkBoundariesTest {
    static Stream<GoldenCase> cases() throws Exception {
        return GoldenCase.all(List.of("mysql-8.0.31"), List.of("01", "05", "06", "08", "09")).stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    @DisplayName(
            "entries encoded by several threads, in buffers that are used again and again, are those that keep their bytes")
    void chunkBoundariesDoNotChangeEntries(GoldenCase golden, @Seeded SplittableRandom random) throws Exception {
        List<byte[]> events = Compression.events(golden);
        List<Entry> expected = GoldenRun.entries(golden, new ListedEvents(events), false);

        for (int longest = 1; longest <= 64; longest *= 4) {
            List<Entry> entries = GoldenRun.entries(golden, new Runs(events, random, longest), true);

            assertThat(GoldenRun.raw(entries))
                    .as("runs of up to %d events", longest)
                    .usingElementComparator(Arrays::compare)
                    .isEqualTo(GoldenRun.raw(expected));
        }
    }

    /** Events of which some are there at once, and then the reader would have to wait. */
    private static final class Runs implements EventSource {
        private final EventSource events;
        private final SplittableRandom random;
        private final int longest;
        private int left;

        Runs(List<byte[]> events, SplittableRandom random, int longest) {
            this.events = new ListedEvents(events);
            this.random = random;
            this.longest = longest;
        }

        @Override
        public int next(ByteWriter out) throws IOException {
            left = left == 0 ? random.nextInt(longest) : left - 1;
            return events.next(out);
        }

        @Override
        public boolean hasBuffered() {
            return left > 0;
        }

        @Override
        public void close() throws IOException {
            events.close();
        }
    }
}
