package io.sluice.parse.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.HeartbeatEvent;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class StreamProgressTest {
    private static final long GIB = 1L << 30;

    private final StreamProgress progress =
            new StreamProgress("localhost", 3306, new StreamPoint("binlog.000001", 3 * GIB));

    @Test
    void countsOffsetsOnBeyondWhatHeadersHold() {
        assertThat(progress.widened(3 * GIB + 100)).isEqualTo(3 * GIB + 100);

        progress.pass(4 * GIB - 10, false);

        assertThat(progress.widened(50)).isEqualTo(4 * GIB + 50);
    }

    /** 9 GiB and 7 bytes, as a source writes it that passes over transactions. */
    @Test
    void learnsFromHeartbeatsWhatHeadersCannotTell() {
        byte[] body = HexFormat.of().parseHex("010d62696e6c6f672e303030303031" + "0209fe" + "0700004002000000" + "00");
        HeartbeatEvent event = HeartbeatEvent.decode(new EventBody(body, 0, body.length));
        assertThat(event).isEqualTo(new HeartbeatEvent("binlog.000001", 9 * GIB + 7));

        progress.heartbeat(event);

        assertThat(progress.widened(GIB + 200)).isEqualTo(9 * GIB + 200);
        assertThat(progress.transactionStart()).isEqualTo(new StreamPoint("binlog.000001", 3 * GIB));
    }

    @Test
    void doesNotBelieveHeartbeatsOfOtherFilesOrWithinATransaction() {
        progress.heartbeat(new HeartbeatEvent("binlog.000002", 9 * GIB));
        progress.begin();
        progress.heartbeat(new HeartbeatEvent("binlog.000001", 9 * GIB));

        assertThat(progress.offset()).isEqualTo(3 * GIB);
    }
}
