package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.watch.BinlogExtent;
import io.sluice.stream.source.watch.Lag;
import io.sluice.stream.source.watch.ProbeOptions;
import io.sluice.stream.source.watch.SourceWatch;
import io.sluice.stream.source.watch.WatchPools;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.proxy.ForwardingProxy;
import io.sluice.testkit.time.HandTime;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks of a real source by a process that cannot start threads for a while, for which the JVM does not end. */
@Timeout(600)
class SourceWatchIT {
    private static MySqlServer server;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService lookers = Executors.newCachedThreadPool();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger checks = new AtomicInteger();
    private final AtomicInteger switches = new AtomicInteger();
    private final HandTime time = new HandTime();
    private volatile boolean isShort;
    private SourceWatch watch;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void stop() {
        watch.close();
        timer.shutdownNow();
        lookers.shutdownNow();
    }

    @Test
    void whatIsKnownAgesUntilChecksCanBeStartedAgain() {
        start();
        do { // the last check may have failed, if the server was slow
            isShort = false;
            await().until(() -> watch.extent() != null);
            int before = refused.get();
            isShort = true;
            await().until(() -> refused.get() > before);
        } while (watch.extent() == null);

        time.pass(Duration.ofMinutes(10));
        assertThat(watch.extent()).isNull();

        isShort = false;
        await().until(() -> watch.extent() != null);
    }

    @Test
    void theFirstCheckIsMadeWhenAThreadCanBeStarted() {
        isShort = true;
        start();
        assertThat(refused).hasPositiveValue();
        isShort = false;

        await().until(() -> watch.extent() != null);
    }

    /** As a DNS name or a proxy whose former server was left running. */
    @Test
    void noticesThatTheAddressLeadsToAServerThatWritesWhileNothingComes() throws Exception {
        AtomicInteger port = new AtomicInteger(server.port());
        try (MySqlServer other = MySqlServer.start();
                LeadingProxy proxy = new LeadingProxy(port)) {
            Silent silent = new Silent(server);
            start(new SourceHost(Sources.login(proxy.port()), new ConfiguredStart.Newest()), silent);
            await().until(() -> watch.extent() != null);
            port.set(other.port());

            await().until(() -> {
                time.pass(Duration.ofSeconds(61));
                other.execute("create database if not exists d", "drop database d");
                silent.received.incrementAndGet();
                return silent.followed != null;
            });

            assertThat(silent.followed).isEqualTo(silent.readTo());
            assertThat(watch.isMoved()).isTrue();
        }
    }

    /** The positions of two servers have nothing in common. */
    @Test
    void doesNotMeasureTheLagByTheBinlogOfAnotherServer() {
        Silent silent = new Silent(server);
        silent.identity = "another server";
        start(Sources.host(server, new ConfiguredStart.Newest()), silent);
        await().until(() -> silent.asked.get() > 10);
        assertThat(watch.extent()).isNull();

        silent.identity = server.query("select @@server_uuid");
        await().until(() -> watch.extent() != null);
    }

    /** As after a review of privileges: without GTIDs nothing else shows it, and alerts on the lag cannot fire. */
    @Test
    void reportsOnceThatTheAccountMayNotQueryTheEndOfTheBinlog() {
        assertThat(reportsOfMissingPrivilege(server.port()))
                .singleElement()
                .asString()
                .contains("remedy=run on the source: GRANT REPLICATION CLIENT ON *.* TO 'blind'@'%'");
    }

    @Test
    void reportsTheMissingPrivilegeAlsoIfTheConnectionIsLostAtTheQuestionForTheAccount() {
        try (AccountCuttingProxy proxy = new AccountCuttingProxy(server.port())) {
            assertThat(reportsOfMissingPrivilege(proxy.port()))
                    .singleElement()
                    .asString()
                    .contains("remedy=run on the source: GRANT REPLICATION CLIENT ON *.* TO the account");
            assertThat(proxy.cuts).hasValue(1);
        }
    }

    /** The lines on a missing privilege after some looks with an account that has REPLICATION SLAVE alone. */
    private List<String> reportsOfMissingPrivilege(int port) {
        server.execute(
                "create user 'blind'@'%' identified by 'reads'", "grant replication slave on *.* to 'blind'@'%'");
        Silent silent = new Silent(server);
        try (LogLines lines = LogLines.of(SourceWatch.class)) {
            ConnectOptions login = ConnectOptions.of(new ServerAddress("127.0.0.1", port), "blind", "reads");
            start(new SourceHost(login, new ConfiguredStart.Newest()), silent);
            await().until(() -> silent.asked.get() > 10);

            assertThat(watch.extent()).isNull();
            return lines.texts().stream()
                    .filter(line -> line.startsWith("the account may not query the end of the binlog"))
                    .toList();
        } finally {
            server.execute("drop user 'blind'@'%'");
        }
    }

    @Test
    void reportsOnceThatOffsetsOfALargeFileAreNotKnown(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (LogLines lines = LogLines.of(SourceWatch.class);
                MySqlServer source = MySqlServer.start(MySqlOptions.defaults().dataDirectory(data))) {
            Silent silent = new Silent(source);
            source.execute("flush binary logs");
            try (RandomAccessFile file = new RandomAccessFile(fileOf(data, silent.end.file()), "rw")) {
                file.setLength(5L << 30); // takes no room on the disk
            }
            start(Sources.host(source, new ConfiguredStart.Newest()), silent);
            await().until(() -> watch.extent() != null);
            assertThat(inexact(lines)).isZero();

            silent.hasExactOffsets = false;
            await().until(() -> inexact(lines) > 0);
            int before = checks.get();
            await().until(() -> checks.get() > before + 3);

            assertThat(inexact(lines)).isOne();
        }
    }

    private static File fileOf(Path data, String binlog) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(path -> path.endsWith(binlog))
                    .findFirst()
                    .orElseThrow()
                    .toFile();
        }
    }

    private static long inexact(LogLines lines) {
        return lines.texts().stream()
                .filter(line -> line.contains("larger than 4 GiB"))
                .count();
    }

    /** Its binlog was switched off, while what was read of it before is delivered. */
    @Test
    void aHostWithoutABinlogAnswersAllTheSame() {
        try (MySqlServer without = MySqlServer.start(MySqlOptions.defaults().with("disable-log-bin", "1"))) {
            Duration patience = Duration.ofMinutes(1); // also the limit of a check
            start(Sources.host(without, new ConfiguredStart.Newest()), new Idle(), patience, 0);

            await().until(() -> checks.get() > 0);

            assertThat(switches).hasValue(0);
            assertThat(watch.extent()).isNull();
            watch.close();
        }
    }

    private void start() {
        start(Sources.host(server, new ConfiguredStart.Newest()), new Idle());
    }

    private void start(SourceHost host, SourceWatch.Watched watched) {
        start(host, watched, Duration.ofMillis(20), 3);
    }

    private void start(SourceHost host, SourceWatch.Watched watched, Duration interval, int threshold) {
        watch = new SourceWatch(
                "shop",
                new ProbeOptions("select 1", interval, threshold, true),
                () -> host,
                watched,
                new WatchPools(timer, this::execute),
                time);
        watch.start();
    }

    private void execute(Runnable check) {
        if (isShort) {
            refused.incrementAndGet();
            throw new OutOfMemoryError("unable to create native thread");
        }
        lookers.execute(() -> {
            check.run();
            checks.incrementAndGet();
        });
    }

    /** Has read nothing yet. */
    private final class Idle implements SourceWatch.Watched {
        @Override
        public Lag lag(BinlogExtent binlog) {
            return Lag.UNKNOWN;
        }

        @Override
        public BinlogPosition readTo() {
            return null;
        }

        @Override
        public boolean hasExactOffsets() {
            return true;
        }

        @Override
        public void onClock(long millis) {}

        @Override
        public String identity() {
            return null;
        }

        @Override
        public boolean isReading() {
            return true;
        }

        @Override
        public long receivedBytes() {
            return 0;
        }

        @Override
        public void onMoved(BinlogPosition read) {}

        @Override
        public void onReset(BinlogPosition read, BinlogPosition end, boolean isCertain) {}

        @Override
        public boolean switchHost(SourceHost from, String why) {
            switches.incrementAndGet();
            return false;
        }
    }

    /** A source of which only heartbeats come. */
    private static final class Silent implements SourceWatch.Watched {
        private final BinlogEnd end;
        private final AtomicLong received = new AtomicLong();
        private final AtomicInteger asked = new AtomicInteger();
        private volatile boolean hasExactOffsets = true;
        private volatile String identity;
        private volatile @Nullable BinlogPosition followed;

        Silent(MySqlServer server) {
            end = server.binlogEnd();
            identity = server.query("select @@server_uuid");
        }

        @Override
        public Lag lag(BinlogExtent binlog) {
            return Lag.NONE;
        }

        @Override
        public BinlogPosition readTo() {
            return new BinlogPosition(end.file(), end.offset());
        }

        @Override
        public boolean hasExactOffsets() {
            return hasExactOffsets;
        }

        @Override
        public void onClock(long millis) {}

        @Override
        public String identity() {
            asked.incrementAndGet();
            return identity;
        }

        @Override
        public boolean isReading() {
            return true;
        }

        @Override
        public long receivedBytes() {
            return received.get();
        }

        @Override
        public void onMoved(BinlogPosition read) {
            followed = read;
        }

        @Override
        public void onReset(BinlogPosition read, BinlogPosition end, boolean isCertain) {}

        @Override
        public boolean switchHost(SourceHost from, String why) {
            return false;
        }
    }

    /** A proxy that leads new connections to a port, and keeps those that it has. */
    private static final class LeadingProxy extends ForwardingProxy {
        LeadingProxy(AtomicInteger serverPort) {
            super(anyPort(), serverPort::get, 4096);
            start();
        }

        @Override
        protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
            run(() -> pump(client, server, unchanged(server.getOutputStream())));
            pump(server, client, unchanged(client.getOutputStream()));
        }
    }

    /** A proxy that closes a connection at the question for its account. */
    private static final class AccountCuttingProxy extends ForwardingProxy {
        private final AtomicInteger cuts = new AtomicInteger();

        AccountCuttingProxy(int serverPort) {
            super(anyPort(), () -> serverPort, 4096);
            start();
        }

        @Override
        protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
            OutputStream out = server.getOutputStream();
            run(() -> pump(client, server, (bytes, length) -> {
                if (new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains("CURRENT_USER()")) {
                    cuts.incrementAndGet();
                    return false;
                }
                out.write(bytes, 0, length);
                return true;
            }));
            pump(server, client, unchanged(client.getOutputStream()));
        }
    }
}
