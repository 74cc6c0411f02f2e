package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RejectionLogTest {
    @AutoClose
    private final LogLines lines = LogLines.of(RejectionLog.class);

    private final HandTime time = new HandTime();
    private final RejectionLog rejections = new RejectionLog(time);

    @Test
    void aHostThatIsRefusedAgainAndAgainDoesNotHideWhyAnotherOneIs() {
        InetSocketAddress hostile = new InetSocketAddress("192.0.2.1", 4711);
        for (int i = 0; i < 100; i++) {
            rejections.closed(hostile, "it sent what is no packet");
        }
        int before = lines.texts().size();

        rejections.handshakeFailed(
                new InetSocketAddress("198.51.100.7", 4712), new SSLHandshakeException("its certificate has expired"));

        assertThat(before).isLessThan(20);
        assertThat(lines.texts())
                .hasSize(before + 1)
                .last()
                .asString()
                .isEqualTo("a connection was closed: remote=/198.51.100.7:4712 why=TLS: its certificate has expired");
        assertThat(rejections.total()).isEqualTo(101);
        time.passSeconds(1);
        rejections.closed(hostile, "it sent what is no packet");
        assertThat(lines.texts())
                .contains("more connections were closed than are listed: not_listed=" + (100 - before));
    }
}
