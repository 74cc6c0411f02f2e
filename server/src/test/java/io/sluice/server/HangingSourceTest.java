package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A source that does not answer: each attempt to read it takes as long as a timeout. */
class HangingSourceTest {
    @TempDir
    private Path home;

    private final AtomicBoolean hangs = new AtomicBoolean();
    private final BlockingQueue<Socket> held = new LinkedBlockingQueue<>();

    @Test
    void theFailureIsReportedWhileTheNextAttemptIsUnderWay() throws Exception {
        try (ServerSocket source = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread listener = new Thread(() -> listen(source), "hanging-source");
            listener.start();
            SluiceServer server = start(source.getLocalPort());
            try {
                Instance shop = server.operations().snapshot("shop").instance().orElseThrow();
                await().until(() -> shop.state() == InstanceState.RETRYING);
                hangs.set(true);
                await().until(() -> !held.isEmpty());

                assertThat(shop.state()).isEqualTo(InstanceState.RETRYING);
                assertThat(shop.sourceFailure()).contains(SourceFailure.UNREACHABLE);
            } finally {
                for (Socket attempt : held) {
                    attempt.close();
                }
                server.stop(Duration.ZERO);
            }
        }
    }

    /** Closes connections, or keeps them without a word. */
    private void listen(ServerSocket source) {
        try {
            while (true) {
                Socket connection = source.accept();
                if (hangs.get()) {
                    held.add(connection);
                } else {
                    connection.close();
                }
            }
        } catch (IOException e) {
            hangs.set(false); // the test has ended
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
