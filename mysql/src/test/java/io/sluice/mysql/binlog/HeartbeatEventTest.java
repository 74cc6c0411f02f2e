package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HeartbeatEventTest {
    @Test
    void readsAnOffsetBeyond4GiB() {
        byte[] body = HexFormat.of().parseHex("010d62696e6c6f672e303030303031" + "0209fe" + "0700004002000000" + "00");

        HeartbeatEvent event = HeartbeatEvent.decode(
                new EventHeader(0, EventCode.HEARTBEAT_V2, 1, 19 + body.length, 0, 0),
                new EventBody(body, 0, body.length));

        assertThat(event).isEqualTo(new HeartbeatEvent("binlog.000001", 9L * (1 << 30) + 7));
    }

    @Test
    void readsTheOffsetOfTheOldKindFromItsHeader() {
        byte[] body = "binlog.000007".getBytes(StandardCharsets.US_ASCII);

        HeartbeatEvent event = HeartbeatEvent.decode(
                new EventHeader(0, EventCode.HEARTBEAT, 1, 19 + body.length, 1234, 0),
                new EventBody(body, 0, body.length));

        assertThat(event).isEqualTo(new HeartbeatEvent("binlog.000007", 1234));
    }
}
