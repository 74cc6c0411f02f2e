package io.sluice.server.tcp;

import static io.sluice.server.pull.TestEntry.begin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.WireFormat;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.packet.ClientAck;
import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.packet.Get;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.PacketType;
import io.sluice.protocol.packet.Sub;
import io.sluice.server.config.instance.StoreConfig;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.port.RejectionLog;
import io.sluice.server.pull.TestEntry;
import io.sluice.store.ring.BatchMode;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.log.LogLines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limits of what clients can use. */
@Timeout(120)
class TcpLimitsTest {
    /** The connections of which each may hold a packet of 1 MiB. */
    private static final int FITTING = 32;

    private final List<WireClient> clients = new ArrayList<>();
    private OneDestination example;

    @AfterEach
    void stop() throws IOException {
        stopClients();
        if (example != null) {
            example.close();
        }
    }

    private void stopClients() throws IOException {
        for (WireClient client : clients) {
            client.close();
        }
    }

    private static TcpConfig.Limits limits(int connections, int unauthenticated) {
        return limits(connections, unauthenticated, Duration.ofMinutes(1), Duration.ofMinutes(1));
    }

    /** With timeouts for the login and for reading answers. */
    private static TcpConfig.Limits limits(
            int connections, int unauthenticated, Duration loginTimeout, Duration writeTimeout) {
        return new TcpConfig.Limits(
                connections, unauthenticated, 10_000, 1 << 16, loginTimeout, Duration.ofHours(1), writeTimeout, 100);
    }

    private void start(TcpConfig.Limits limits) throws IOException {
        example = OneDestination.start(OneDestination.config("", "", limits));
    }

    private WireClient connect() throws IOException {
        WireClient client = WireClient.connect(example.address());
        clients.add(client);
        return client;
    }

    private WireClient open() throws IOException {
        WireClient client = WireClient.open(example.address());
        clients.add(client);
        return client;
    }

    @Test
    void aClientThatDoesNotLogInIsClosed() throws Exception {
        start(limits(10, 5, Duration.ofMillis(300), Duration.ofMinutes(1)));
        WireClient silent = connect();
        silent.readHandshake();
        assertThat(silent.isClosedByServer()).isTrue();
        WireClient slow = connect();
        slow.sendBytes(new byte[] {0, 0});
        assertThat(slow.isClosedByServer()).isTrue();
        await().until(() -> example.server.connections() == 0);
    }

    @Test
    void aGigabyteFrameIsNotWaitedFor() throws Exception {
        start(limits(100, 50));
        for (int length : new int[] {1 << 30, Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 8193}) {
            WireClient client = connect();
            client.readHandshake();
            client.sendBytes(ByteBuffer.allocate(4).putInt(length).array());
            assertThat(client.isClosedByServer())
                    .as("before the login, %d", length)
                    .isTrue();
        }
        for (int length : new int[] {1 << 30, -1, (1 << 16) + 1}) {
            WireClient client = open();
            client.sendBytes(ByteBuffer.allocate(4).putInt(length).array());
            assertThat(client.isClosedByServer())
                    .as("after the login, %d", length)
                    .isTrue();
        }
        assertThat(open().subscribe("").getErrorCode()).isZero();
    }

    @Test
    void aLongFilterIsAcceptedAfterTheLoginOnly() throws Exception {
        start(limits(10, 5));
        String filter = "a".repeat(60_000);
        assertThat(open().subscribe(filter).getErrorCode()).isZero();
        WireClient early = connect();
        early.readHandshake();
        assertThat(early.isClosedWhenItSends(
                        PacketType.CLIENTAUTHENTICATION,
                        ClientAuth.newBuilder().setFilter(filter).build()))
                .isTrue();
    }

    /** As a text, each would take a copy of all that are in it, and the square of their number in blanks. */
    @Test
    void fieldsThatAreUnknownAndOneInTheOtherAreDropped() throws Exception {
        start(limits(10, 5));
        WireClient client = open();
        UnknownFieldSet nested = UnknownFieldSet.parseFrom(nestedFields(60_000));
        client.send(
                PacketType.GET,
                Get.newBuilder().setClientId("1001").setUnknownFields(nested).build());
        assertThat(client.readAck().getErrorMessage())
                .isEqualTo("destination or clientId is null. Get: client_id: \"1001\" ");
        client.send(
                PacketType.CLIENTACK,
                ClientAck.newBuilder()
                        .setDestination(WireClient.DESTINATION)
                        .setClientId("1001")
                        .setUnknownFields(nested)
                        .build());
        assertThat(client.readAck().getErrorMessage())
                .isEqualTo("batchId should assign value. Ack: destination: \"example\" client_id: \"1001\" ");
        assertThat(client.subscribe("").getErrorCode()).isZero();
    }

    /** Fields of number 15, each of which is the content of the one around it. */
    private static byte[] nestedFields(int bytes) throws IOException {
        byte[] all = new byte[bytes];
        int begin = bytes;
        while (begin > 8) {
            int length = bytes - begin;
            int head = CodedOutputStream.computeTagSize(15) + CodedOutputStream.computeUInt32SizeNoTag(length);
            begin -= head;
            CodedOutputStream out = CodedOutputStream.newInstance(all, begin, head);
            out.writeTag(15, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(length);
        }
        return Arrays.copyOfRange(all, begin, bytes);
    }

    /** They make room for another client, whatever that sends. */
    @Test
    void connectionsWithLongPacketsThatAreNotAnsweredCloseEachOther() throws Exception {
        start(OneDestination.LIMITS);
        assertThat(open().subscribe("").getErrorCode()).isZero();
        List<WireClient> holders = new ArrayList<>();
        try (LogLines lines = LogLines.of(RejectionLog.class)) {
            for (int i = 1; i <= 40; i++) {
                holders.add(hold(1 << 20));
                int closed = Math.max(0, i - FITTING);
                await().until(() -> example.server.refusedConnections() == closed);
            }
            for (int i = 0; i < 8; i++) {
                assertThat(holders.get(i).isClosedByServer()).as("%d", i).isTrue();
            }
            await().until(() -> lines.texts().size() == 8); // each is written after its connection is counted
            assertThat(lines.texts())
                    .allMatch(line -> line.contains("requests that are not answered take more than 33554432 bytes")
                            && line.contains("remote=/127.0.0.1:"));
        }
        assertThat(open().as(1002).subscribe("").getErrorCode()).isZero();

        WireClient later = open();
        later.send(
                PacketType.SUBSCRIPTION,
                Sub.newBuilder().setFilter("a".repeat((1 << 20) - 100)).build());
        assertThat(later.readAck().getErrorCode()).isEqualTo(401);
        assertThat(holders.get(8).isClosedByServer()).isTrue();
        assertThat(example.server.refusedConnections()).isEqualTo(9);
    }

    /** Else two clients would close each other for ever. */
    @Test
    void fourConnectionsMayEachHaveTheLongestRequest() throws Exception {
        int longest = 1 << 25;
        start(new TcpConfig.Limits(
                10, 5, 100, longest, Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofMinutes(5), 100));
        assertThat(open().subscribe("").getErrorCode()).isZero();
        try (LogLines lines = LogLines.of(RejectionLog.class)) {
            for (int i = 0; i < 5; i++) {
                hold(longest);
            }
            await().until(() -> !lines.texts().isEmpty());
            assertThat(lines.texts().get(0))
                    .contains("requests that are not answered take more than %d bytes".formatted(4L * longest));
            assertThat(example.server.refusedConnections()).isOne();
        }
    }

    /** Packets are counted by several I/O threads at once. */
    @Test
    void noMoreConnectionsAreClosedThanRoomIsNeeded() throws Exception {
        start(OneDestination.LIMITS);
        assertThat(open().subscribe("").getErrorCode()).isZero();
        int all = 160;
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<WireClient>> holders = new ArrayList<>();
        for (int i = 0; i < all; i++) {
            holders.add(threads.submit(() -> hold(1 << 20)));
        }
        for (Future<WireClient> holder : holders) {
            holder.get();
        }
        threads.shutdown();

        await().until(() -> example.server.connections() == 1 + FITTING);
        assertThat(example.server.refusedConnections()).isEqualTo(all - FITTING);
    }

    /** A client that waits, and has begun to send a long packet. */
    private WireClient hold(int bytes) throws IOException {
        WireClient holder = WireClient.open(example.address());
        synchronized (clients) {
            clients.add(holder);
        }
        holder.askFor(1, 0); // is answered when there is an entry, and what follows after that
        holder.sendBytes(ByteBuffer.allocate(4).putInt(bytes).array());
        return holder;
    }

    @Test
    void noMoreClientsAreAcceptedThanAllowed() throws Exception {
        start(limits(3, 3));
        for (int i = 0; i < 3; i++) {
            open().subscribe("");
        }
        assertThat(connect().isClosedByServer()).isTrue();
        clients.get(0).close();
        await().until(() -> example.server.connections() == 2);
        assertThat(open().subscribe("").getErrorCode()).isZero();
    }

    @Test
    void clientsThatDoNotLogInAreClosedInFavourOfThoseThatDo() throws Exception {
        start(new TcpConfig.Limits(
                1_000, 20, 10_000, 1 << 16, Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofMinutes(5), 100));
        for (int i = 0; i < 100; i++) {
            connect();
        }
        await().until(() -> example.server.refusedConnections() == 80); // all of them have connected
        for (int i = 0; i < 10; i++) {
            assertThat(open().subscribe("").getErrorCode()).isZero();
        }
        // Each client that logs in closes one that has not, but then frees its own place among those for the next.
        await().until(() -> example.server.connections() == 10 + 19);
        assertThat(example.server.refusedConnections()).isGreaterThanOrEqualTo(80);
    }

    @Test
    void moreNewClientsThanAllowedInASecondWaitAndAreServed() throws Exception {
        start(new TcpConfig.Limits(
                1_000, 500, 20, 1 << 16, Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofMinutes(5), 100));
        for (int i = 0; i < 50; i++) {
            connect();
        }
        for (WireClient client : clients) {
            client.readHandshake();
        }
        assertThat(example.server.connections()).isEqualTo(50);
    }

    @Test
    void aSlowReaderDelaysNoOtherClientAndIsClosedInTheEnd() throws Exception {
        int entryBytes = 1 << 20;
        example = OneDestination.start(
                OneDestination.config(
                        "",
                        "",
                        limits(
                                10,
                                5,
                                Duration.ofMinutes(1),
                                Duration.ofSeconds(4))), // longer than this test may pause while it reads
                new StoreConfig(new RingConfig(64, 1 << 20, false), BatchMode.ITEMSIZE, true));
        List<Entry> large = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            large.add(TestEntry.of(EntryKind.ROWS, i, entryBytes));
        }
        example.store.put(large);
        WireClient slow = open();
        slow.subscribe("");
        slow.askFor(31, -1); // 31 MiB, more than the sockets hold, of which it reads nothing
        WireClient other = open();
        await().until(() -> {
            Messages messages = other.get(1);
            return messages.getMessagesCount() == 1;
        });
        await().until(() -> example.server.connections() == 1);
        other.rollback(0);
        assertThat(other.get(32).getMessagesCount()).isEqualTo(32);
    }

    @Test
    void anAnswerEndsWithTheEntryThatExceeds64MibWhateverTheClientAsksFor() throws Exception {
        byte[] bytes = new byte[22 << 20];
        for (BatchMode mode : BatchMode.values()) {
            try (OneDestination large = OneDestination.start(
                    OneDestination.config("", "", limits(10, 5)),
                    new StoreConfig(new RingConfig(64, 4 << 20, false), mode, true))) {
                for (int i = 0; i < 4; i++) {
                    large.store.put(List.of(TestEntry.of(EntryKind.ROWS, i, bytes)));
                }
                try (WireClient client = WireClient.open(large.address())) {
                    client.subscribe("");
                    for (int entries : new int[] {3, 1}) {
                        client.askFor(1_000_000, -1);
                        assertThat(client.readFrame().length / bytes.length)
                                .as("%s", mode)
                                .isEqualTo(entries);
                    }
                }
            }
        }
    }

    @Test
    void aClientThatSendsWithoutReadingIsNotReadFrom() throws Exception {
        start(new TcpConfig.Limits(
                10, 5, 100, 1 << 16, Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofMinutes(5), 100));
        WireClient flooding = open();
        flooding.subscribe("");
        AtomicLong sent = new AtomicLong();
        ExecutorService sender = Executors.newSingleThreadExecutor();
        Future<?> flood = sender.submit(() -> {
            try {
                while (true) {
                    flooding.send(
                            PacketType.SUBSCRIPTION,
                            Sub.newBuilder()
                                    .setDestination("none".repeat(10_000))
                                    .setClientId("1001")
                                    .build());
                    sent.addAndGet(40_000);
                }
            } catch (IOException e) {
                return; // the test is over
            }
        });
        AtomicLong before = new AtomicLong(-1);
        await().pollInterval(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(60))
                .until(() -> before.getAndSet(sent.get()) == sent.get() && sent.get() > 0);
        assertThat(open().subscribe("").getErrorCode()).isZero();
        flooding.close();
        flood.get();
        sender.shutdownNow();
    }

    @Test
    void invalidBytesCloseTheirConnectionOnly() throws Exception {
        start(limits(100, 50));
        WireClient well = open();
        well.subscribe("");
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            try (WireClient client =
                    random.nextBoolean() ? WireClient.open(example.address()) : WireClient.connect(example.address())) {
                byte[] rubbish = new byte[random.nextInt(2_000)];
                random.nextBytes(rubbish);
                if (random.nextBoolean() && rubbish.length > 4) {
                    ByteBuffer.wrap(rubbish).putInt(random.nextInt(rubbish.length));
                }
                client.sendBytes(rubbish);
            } catch (IOException e) {
                continue; // closed while it was sending
            }
            if (i % 20 == 0) {
                assertThat(well.get(1).getBatchId()).as("seed %d", seed).isEqualTo(-1);
            }
        }
        await().until(() -> example.server.connections() == 1);
        example.store.put(List.of(begin(4)));
        assertThat(well.get(1).getMessagesCount()).as("seed %d", seed).isEqualTo(1);
    }
}
