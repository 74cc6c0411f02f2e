package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.testkit.process.FreePorts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A source that does not answer: each attempt to read it takes as long as a timeout. */
class HangingSourceTest {
    @TempDir
    private Path home;

    @Test
    void theFailureIsReportedWhileTheNextAttemptIsUnderWay() throws Exception {
        try (ServerSocket source = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            SluiceServer server = start(source.getLocalPort());
            try {
                source.accept().close();
                try (Socket attempt = source.accept()) {
                    Instance shop =
                            server.operations().snapshot("shop").instance().orElseThrow();

                    assertThat(attempt.isConnected()).isTrue();
                    assertThat(shop.state()).isEqualTo(InstanceState.RETRYING);
                    assertThat(shop.sourceFailure()).contains(SourceFailure.UNREACHABLE);
                }
            } finally {
                server.stop(Duration.ZERO);
            }
        }
    }

    private SluiceServer start(int port) throws Exception {
        ServerFiles files = new ServerFiles(home);
        files.write("conf/shop/instance.properties", """
                canal.instance.master.address = 127.0.0.1:%d
                canal.instance.tsdb.enable = false
                canal.mq.topic = shop
                """.formatted(port));
        files.write("conf/canal.properties", """
                canal.serverMode = kafka
                kafka.bootstrap.servers = 127.0.0.1:9
                canal.destinations = shop
                canal.metrics.pull.port = %d
                """.formatted(FreePorts.next()));
        return files.start();
    }
}
