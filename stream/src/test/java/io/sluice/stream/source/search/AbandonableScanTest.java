package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.stream.source.ScanOnly;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class AbandonableScanTest {
    private static final int EVENTS = 1_000_000;

    private int shown;
    private final AtomicBoolean isAbandoned = new AtomicBoolean();

    @Test
    void aScanOfALargeFileEndsSoonAfterItIsAbandoned() {
        AbandonableScan scan = new AbandonableScan(new LargeFile(), isAbandoned::get);

        assertThatThrownBy(() -> scan.scan("binlog.000001", (header, body, start, end) -> {
                    isAbandoned.set(start >= 10_000);
                    return true;
                }))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no cursor was changed");

        assertThat(shown).isBetween(10_000, 12_000);
        assertThatThrownBy(() -> scan.begunSeconds("binlog.000002")).isInstanceOf(IOException.class);
    }

    @Test
    void aScanThatIsNotAbandonedShowsAllThatTheVisitorWants() throws IOException {
        AbandonableScan scan = new AbandonableScan(new LargeFile(), isAbandoned::get);

        scan.scan("binlog.000001", (header, body, start, end) -> start < 50_000);

        assertThat(shown).isEqualTo(50_001);
    }

    private final class LargeFile extends ScanOnly {
        @Override
        public void scan(String file, Visitor visitor) {
            EventHeader header = new EventHeader(1, 2, 1, 19, 0, 0);
            for (shown = 0; shown < EVENTS; ) {
                int start = shown++;
                if (!visitor.visit(header, new EventBody(new byte[0], 0, 0), start, shown)) {
                    return;
                }
            }
        }
    }
}
