package io.sluice.server.tcp;

import static io.sluice.server.pull.TestEntry.begin;
import static io.sluice.server.pull.TestEntry.end;
import static io.sluice.server.pull.TestEntry.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.sluice.connector.api.TextEntry;
import io.sluice.format.entry.CompressedRow;
import io.sluice.format.entry.Entry;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.mysql.binlog.Inflation;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.packet.Ack;
import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.packet.Get;
import io.sluice.protocol.packet.HeartBeat;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.PacketType;
import io.sluice.protocol.packet.Sub;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.instance.StoreConfig;
import io.sluice.server.pull.TestEntry;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.BatchMode;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.failure.StreamException;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The protocol, byte for byte, over a real socket. */
class TcpServerTest {
    private static final String STORED = "e3619321c1a937c46a0d8bd1dac39f93b27d4458"; // of the password canal

    private OneDestination example;

    @BeforeEach
    void start() throws IOException {
        example = OneDestination.start();
    }

    @AfterEach
    void stop() {
        example.close();
    }

    private void restart(String user, String storedPassword) throws IOException {
        example.close();
        example = OneDestination.start(OneDestination.config(user, storedPassword, OneDestination.LIMITS));
    }

    @Test
    void theServerSendsFirstAndNeverUsesASeedTwice() throws Exception {
        try (WireClient one = WireClient.connect(example.address());
                WireClient other = WireClient.connect(example.address())) {
            byte[] greeting = one.readFrame();
            assertThat(HexFormat.of().formatHex(greeting))
                    .startsWith("100118012a0a1208")
                    .hasSize(32);
            assertThat(other.readFrame()).isNotEqualTo(greeting);
        }
    }

    @Test
    void anAnswerHasTheBytesThatCanalsHas() throws Exception {
        try (WireClient client = WireClient.connect(example.address())) {
            client.readHandshake();
            client.send(PacketType.CLIENTAUTHENTICATION, ClientAuth.getDefaultInstance());
            assertThat(client.readFrame()).asHexString().isEqualTo("10011803");
            client.send(
                    PacketType.SUBSCRIPTION,
                    Sub.newBuilder()
                            .setDestination("example")
                            .setClientId("1001")
                            .build());
            assertThat(client.readFrame()).asHexString().isEqualTo("10011803");

            // A get as the Java client sends it.
            client.sendFrame(HexFormat.of()
                    .parseHex("18062a210a076578616d706c6512043130303118e80720ffffffffffffffffff0128023000"));
            assertThat(client.readFrame()).asHexString().isEqualTo("100118072A0B08FFFFFFFFFFFFFFFFFF01");

            example.store.put(List.of(begin(4)));
            client.askFor(1, -1);
            assertThat(client.readFrame())
                    .asHexString()
                    .isEqualTo("18072A14" + "0801" + "1210" + "34" + "20".repeat(15));
        }
    }

    @Test
    void entriesThatAreNotRawComeWithTheVersion() throws Exception {
        example.close();
        example = OneDestination.start(
                OneDestination.config("", "", OneDestination.LIMITS),
                new StoreConfig(new RingConfig(1024, 1024, false), BatchMode.ITEMSIZE, false));
        try (WireClient client = WireClient.open(example.address())) {
            client.subscribe("");
            example.store.put(List.of(begin(4), rows(5), end(6)));
            client.askFor(1, -1);
            assertThat(client.readFrame()).asHexString().startsWith("100118072A140801");
            assertThat(client.get(9).getMessagesCount()).isEqualTo(2);
            client.askFor(0, -1);
            assertThat(client.readAck().getErrorMessage()).contains("fetch_size must be at least 1");
        }
    }

    /** Its ring has up to some hundred megabytes, and a client may be idle for as long as it wants. */
    @Test
    void anIdleClientKeepsNothingOfAnInstanceThatHasEnded() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            client.subscribe("");
            client.askFor(1, 1); // which waits, as the store is empty
            assertThat(client.readMessages().getMessagesCount()).isZero();
            WeakReference<EntryRing> ring = new WeakReference<>(example.store);

            example.replaceInstance();

            await().until(() -> {
                System.gc();
                return ring.refersTo(null);
            });
        }
    }

    /** As in a cluster, where the first client of a lazy instance has the server become its owner. */
    @Test
    void aClientThatSubscribesWhileItsDestinationIsBeingStartedWaitsForIt() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            example.startAfter(3);
            assertThat(client.subscribe("").getErrorMessage()).isEmpty();
            example.store.put(List.of(begin(4)));
            assertThat(client.get(1).getMessagesCount()).isOne();
        }
        try (WireClient client = WireClient.connect(example.address())) {
            example.startAfter(3);
            client.readHandshake();
            client.send(
                    PacketType.CLIENTAUTHENTICATION,
                    ClientAuth.newBuilder()
                            .setDestination("example")
                            .setClientId("1002")
                            .build());
            assertThat(client.readAck().getErrorMessage()).isEmpty();
            example.leave();
            assertThat(client.subscribe("").getErrorMessage()).endsWith("should start first");
        }
    }

    /** Else it would wait for an answer that never comes. */
    @Test
    void aClientWhoseRequestNoWorkerTakesIsDisconnected() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            client.subscribe("");
            example.store.put(List.of(begin(4)));
            example.failAtRequest(2);

            client.askFor(1, 300);
            client.askFor(1, -1); // is taken when the first one is answered

            assertThat(client.readMessages().getMessagesCount()).isOne();
            assertThat(client.isClosedByServer()).isTrue();
        }
        try (WireClient client = WireClient.open(example.address())) {
            client.rollback(0);
            client.subscribe("");
            assertThat(client.get(1).getMessagesCount()).isOne();
        }
    }

    @Test
    void aClientGetsAcksAndRollsBack() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            client.rollback(0); // as the Java client does before it has subscribed
            client.rollback(1);
            assertThat(client.subscribe("").getErrorCode()).isZero();
            example.store.put(List.of(begin(4), rows(50), end(90), begin(130), end(170)));

            Messages first = client.get(1000);
            assertThat(first.getBatchId()).isEqualTo(1);
            assertThat(first.getMessagesList())
                    .extracting(bytes -> bytes.toStringUtf8().strip())
                    .containsExactly("4", "50", "90", "130", "170");
            client.rollback(1);
            Messages again = client.get(1000);
            assertThat(again.getBatchId()).isEqualTo(2);
            assertThat(again.getMessagesList()).isEqualTo(first.getMessagesList());
            client.ack(2);
            client.ack(-1);
            assertThat(client.get(1000).getBatchId()).isEqualTo(-1);
        }
        assertThat(example.cursors.load(1001).position().offset()).isEqualTo(170);
    }

    /** What has left takes no memory any more. */
    @Test
    void aClientGetsMoreThanTheStoreHoldsAtATime() throws Exception {
        RingConfig small = new RingConfig(8, 32, false);
        example.close();
        example = OneDestination.start(
                OneDestination.config("", "", OneDestination.LIMITS), new StoreConfig(small, BatchMode.ITEMSIZE, true));
        try (WireClient client = WireClient.open(example.address())) {
            client.subscribe("");
            long bytes = 0;
            for (int number = 1; bytes < 4 * small.capacityBytes(); number++) {
                example.store.put(List.of(rows(number)));
                Messages got = client.get(1);
                assertThat(got.getMessagesCount()).as("of batch %d", number).isOne();
                bytes += got.getMessages(0).size();
                client.ack(got.getBatchId());
            }
        }
    }

    @Test
    void anErrorIsTheNextAnswerAndTheConnectionStaysOpen() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            client.askFor(1, -1);
            Ack notSubscribed = client.readAck();
            assertThat(notSubscribed.getErrorCode()).isEqualTo(400);
            assertThat(notSubscribed.getErrorMessage())
                    .startsWith("something goes wrong with channel:")
                    .contains("exception: ClientIdentity:")
                    .endsWith("should subscribe first")
                    .doesNotContain("\tat ");
            client.subscribe("");
            client.ack(7);
            assertThat(client.readAck().getErrorMessage())
                    .endsWith("ack error , clientId:1001 batchId:7 is not exist , please check");
            client.ack(0);
            Ack missing = client.readAck();
            assertThat(missing.getErrorCode()).isEqualTo(402);
            assertThat(missing.getErrorMessage()).startsWith("batchId should assign value. Ack: ");
            client.send(
                    PacketType.GET, Get.newBuilder().setDestination("example").build());
            Ack unnamed = client.readAck();
            assertThat(unnamed.getErrorCode()).isEqualTo(401);
            assertThat(unnamed.getErrorMessage()).startsWith("destination or clientId is null. Get: ");
            client.send(PacketType.HEARTBEAT, HeartBeat.getDefaultInstance());
            assertThat(client.readAck().getErrorMessage()).isEqualTo("packet type: HEARTBEAT is NOT supported!");
            client.send(
                    PacketType.SUBSCRIPTION,
                    Sub.newBuilder()
                            .setDestination("example")
                            .setClientId("99999")
                            .build());
            assertThat(client.readAck().getErrorMessage()).contains("client_id is not a number from -32768 to 32767");
            client.sendFrame(HexFormat.of().parseHex("18062a03ffffff"));
            assertThat(client.readAck().getErrorMessage()).contains("the packet's body cannot be read");

            assertThat(client.get(1).getBatchId()).isEqualTo(-1);
        }
    }

    /** Else each would void the batches of the other, as long as there are entries: a client connects again at an error, which is a rollback. */
    @Test
    void aClientThatConnectsAgainLeavesTheBatchesOfAnotherAsTheyAre() throws Exception {
        example.close();
        example = OneDestination.start(
                OneDestination.config("", "", OneDestination.LIMITS),
                new StoreConfig(new RingConfig(1024, 1024, false), BatchMode.ITEMSIZE, true));
        try (WireClient one = WireClient.open(example.address());
                WireClient other = WireClient.open(example.address()).as(1002)) {
            one.subscribe("");
            other.subscribe("");
            example.store.put(List.of(end(1), end(2), end(3), end(4)));
            one.get(1);
            Messages held = other.get(1);
            try (WireClient oneAgain = WireClient.open(example.address())) {
                oneAgain.rollback(0);
                Messages again = oneAgain.get(1);
                other.ack(held.getBatchId());
                assertThat(other.get(1).getMessagesCount()).isOne();
                oneAgain.ack(again.getBatchId());
                assertThat(oneAgain.get(1).getMessagesCount()).isOne();
            }
        }
        assertThat(example.store.stats().acked().entries()).isEqualTo(2);
    }

    private void assertNotSent(WireClient client) throws IOException {
        client.askFor(1, -1);
        Ack answer = client.readAck();
        assertThat(answer.getErrorCode()).isEqualTo(400);
        assertThat(answer.getErrorMessage()).endsWith("the batch cannot be sent, see the server's log");
        assertThat(client.isClosedByServer()).isTrue();
    }

    /** If the connection stayed open, the client would get what follows, and could never ack it. */
    @Test
    void aBatchThatCannotBeSentComesAgainOverTheNextConnection() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            client.subscribe("");
            example.store.put(List.of(TextEntry.of(4), begin(50)));
            assertNotSent(client);
        }
        assertThat(example.store.stats().got().entries()).isZero();
        try (WireClient client = WireClient.open(example.address())) {
            assertNotSent(client);
        }
        assertThat(example.damages).isEmpty();
    }

    /** No batch, however small, can hold it. It would be noticed as damaged if it were unpacked. */
    @Test
    void aCompressedValueThatIsLargerThanTheHeapEndsTheInstanceAndIsNotUnpacked() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            client.subscribe("");
            example.store.put(List.of(CompressedRow.damaged(Inflation.MAX_BYTES)));
            assertNotSent(client);
        }
        assertThat(example.damages).singleElement().satisfies(failure -> {
            assertThat(failure)
                    .isInstanceOfSatisfying(
                            StreamException.class,
                            e -> assertThat(e.failure()).isEqualTo(SourceFailure.EVENT_TOO_LARGE));
            assertThat(failure)
                    .hasMessageContaining("shop.documents at binlog.000001:4")
                    .hasMessageContaining("raise -Xmx");
        });
        assertThat(example.store.stats().got().entries()).isZero();
    }

    /** The messages of a batch are in memory together. */
    @ParameterizedTest
    @EnumSource
    void aBatchIsLimitedByTheSizeOfMessagesThatAreLargerThanTheirEvents(BatchMode mode) throws Exception {
        StoreConfig config = new StoreConfig(new RingConfig(1024, 1 << 20, false), mode, true);
        List<Entry> entries = new ArrayList<>(Collections.nCopies(20, CompressedRow.damaged(17 << 20)));
        new EncodingPool(Runnable::run).encode(entries);
        try (OneDestination large =
                OneDestination.start(OneDestination.config("", "", OneDestination.LIMITS), config)) {
            large.store.put(entries);

            BatchLimit limit = new Destination(large.clients, config, failure -> {}).limit(1000);

            assertThat(large.store.getIfReady(limit, Readiness.ANY).entries()).hasSize(4); // the fourth exceeds 64 MiB
        }
    }

    @Test
    void anEventThatCannotBeDecodedEndsTheInstance() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            client.subscribe("");
            example.store.put(List.of(TestEntry.damaged(4), begin(50)));
            assertNotSent(client);
        }
        assertThat(example.damages)
                .singleElement()
                .asString()
                .contains("the rows event of shop.orders at binlog.000001:4 cannot be read: it has 4 columns");
        assertThat(example.store.stats().got().entries()).isZero();
    }

    @Test
    void onlyConfiguredDestinationsCanBeNamed() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            client.send(
                    PacketType.SUBSCRIPTION,
                    Sub.newBuilder()
                            .setDestination("../other\n2026 forged")
                            .setClientId("1001")
                            .build());
            Ack answer = client.readAck();
            assertThat(answer.getErrorCode()).isEqualTo(400);
            assertThat(answer.getErrorMessage()).endsWith("destination:../other 2026 forged should start first");
        }
    }

    @Test
    void aPasswordIsAcceptedAndAnythingElseIsRejectedOnce() throws Exception {
        restart("canal", STORED);
        try (WireClient client = WireClient.connect(example.address())) {
            assertThat(client.logIn("canal", "canal").getErrorCode()).isZero();
            assertThat(client.subscribe("").getErrorCode()).isZero();
        }
        assertRefused("canal", "wrong");
        assertRefused("root", "canal");
        try (WireClient client = WireClient.connect(example.address())) {
            client.readHandshake();
            client.send(
                    PacketType.CLIENTAUTHENTICATION,
                    ClientAuth.newBuilder()
                            .setUsername("canal")
                            .setPassword(ByteString.copyFromUtf8("no token"))
                            .build());
            assertThat(client.readAck().getErrorMessage()).isEqualTo("auth failed for user:canal");
            assertThat(client.isClosedByServer()).isTrue();
        }
        try (WireClient client = WireClient.connect(example.address())) {
            client.readHandshake();
            client.send(
                    PacketType.CLIENTAUTHENTICATION,
                    ClientAuth.newBuilder().setUsername("canal").build());
            assertThat(client.readAck().getErrorCode()).isEqualTo(400);
        }
    }

    private void assertRefused(String user, String password) throws IOException {
        try (WireClient client = WireClient.connect(example.address())) {
            Ack answer = client.logIn(user, password);
            assertThat(answer.getErrorCode()).isEqualTo(400);
            assertThat(answer.getErrorMessage()).isEqualTo("auth failed for user:" + user);
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    private void restartWith(LateAnswers lateAnswers) throws IOException {
        example.close();
        example = OneDestination.start(OneDestination.config("", STORED, OneDestination.LIMITS), lateAnswers);
    }

    /** Logs in by a wrong password, and does not wait for the answer. */
    private WireClient guessing() throws IOException {
        WireClient client = WireClient.connect(example.address());
        client.sendLogin("canal", "guess", client.readHandshake());
        return client;
    }

    /** As of a forgotten client that tries an old password again and again, at the address of a proxy. */
    @Test
    void aRightPasswordIsAcceptedWhileWrongOnesFromTheAddressWaitForTheirAnswers() throws Exception {
        LateAnswers never = new LateAnswers(Time.SYSTEM, Duration.ofDays(1), 3);
        restartWith(never);
        for (int i = 0; i < LateAnswers.FREE_FAILURES; i++) {
            assertRefused("canal", "guess " + i);
        }
        List<WireClient> guessing = new ArrayList<>();
        try {
            for (int i = 1; i <= 3; i++) {
                int number = i;
                guessing.add(guessing());
                await().until(() -> never.waiting() == number);
            }
            for (int i = 0; i < 2; i++) {
                try (WireClient client = WireClient.connect(example.address())) {
                    assertThat(client.logIn("canal", "canal").getErrorCode()).isZero();
                }
                try (WireClient oneTooMany = guessing()) {
                    assertThat(oneTooMany.isClosedByServer()).isTrue();
                }
            }
            assertThat(never.waiting()).isEqualTo(3);
            assertThat(example.server.refusedConnections()).isEqualTo(LateAnswers.FREE_FAILURES + 5);
            guessing.remove(0).close();
            await().until(() -> never.waiting() == 2);
        } finally {
            for (WireClient client : guessing) {
                client.close();
            }
        }
        await().until(() -> never.waiting() == 0);
    }

    @Test
    void aLateAnswerIsTheSameAsAnotherOne() throws Exception {
        LateAnswers soon = new LateAnswers(Time.SYSTEM, Duration.ofMillis(1), 3);
        restartWith(soon);
        for (int i = 0; i < LateAnswers.FREE_FAILURES + 5; i++) {
            assertRefused("canal", "guess " + i);
        }
        await().until(() -> soon.waiting() == 0);
    }

    @Test
    void thatAnAddressIsAnsweredLateIsLoggedOnceUntilItWasQuiet() throws Exception {
        HandTime time = new HandTime();
        LateAnswers late = new LateAnswers(time, Duration.ZERO, 3);
        InetAddress address = InetAddress.getByName("192.0.2.1");
        try (LogLines lines = LogLines.of(LateAnswers.class)) {
            for (int i = 1; i <= 20; i++) {
                assertThat(late.isLateAfterFailure(address)).isEqualTo(i > LateAnswers.FREE_FAILURES);
            }
            assertThat(late.isLateAfterFailure(InetAddress.getByName("192.0.2.2")))
                    .isFalse();
            assertThat(lines.events())
                    .singleElement()
                    .asString()
                    .contains("WARN", "several logins from an address have failed", "192.0.2.1");

            time.pass(Duration.ofMinutes(16));
            for (int i = 1; i <= 20; i++) {
                assertThat(late.isLateAfterFailure(address)).isEqualTo(i > LateAnswers.FREE_FAILURES);
            }
            assertThat(lines.texts()).hasSize(2);
        }
    }

    @Test
    void aTokenIsValidForItsConnectionOnly() throws Exception {
        restart("", STORED);
        try (WireClient heard = WireClient.connect(example.address());
                WireClient replaying = WireClient.connect(example.address())) {
            byte[] seed = heard.readHandshake();
            replaying.readHandshake();
            assertThat(replaying.logIn("", "canal", seed).getErrorCode()).isEqualTo(400);
            assertThat(heard.logIn("anybody", "canal", seed).getErrorCode()).isZero();
        }
    }

    @Test
    void aLoginMaySubscribe() throws Exception {
        try (WireClient client = WireClient.connect(example.address())) {
            client.readHandshake();
            client.send(PacketType.CLIENTAUTHENTICATION, login("example"));
            assertThat(client.readAck().getErrorCode()).isZero();
            assertThat(client.get(1).getBatchId()).isEqualTo(-1);
            assertThat(example.filter()).isEqualTo("shop\\..*");
        }
        try (WireClient client = WireClient.connect(example.address())) {
            client.readHandshake();
            client.send(PacketType.CLIENTAUTHENTICATION, login("other"));
            assertThat(client.readAck().getErrorMessage()).contains("destination:other should start first");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    private static ClientAuth login(String destination) {
        return login(destination, "shop\\..*");
    }

    private static ClientAuth login(String destination, String filter) {
        return ClientAuth.newBuilder()
                .setDestination(destination)
                .setClientId("1001")
                .setFilter(filter)
                .build();
    }

    @Test
    void aFilterThatCouldTakeTooLongIsRejectedAndChangesNothing() throws Exception {
        String attack = ".*".repeat(45) + "x";
        try (WireClient client = WireClient.open(example.address())) {
            client.subscribe("shop\\..*");
            Ack answer = client.subscribe(attack);
            assertThat(answer.getErrorCode()).isEqualTo(400);
            assertThat(answer.getErrorMessage())
                    .startsWith("something goes wrong with channel: ")
                    .contains("exception: the filter is refused: ", "fewer repetitions");
            assertThat(client.get(1).getBatchId()).isEqualTo(-1); // it is still subscribed
        }
        try (WireClient client = WireClient.connect(example.address())) {
            client.readHandshake();
            client.send(PacketType.CLIENTAUTHENTICATION, login("example", attack));
            Ack answer = client.readAck();
            assertThat(answer.getErrorCode()).isEqualTo(400);
            assertThat(answer.getErrorMessage()).contains("the filter is refused: ");
            assertThat(client.isClosedByServer()).isTrue();
        }
        assertThat(example.filter()).isEqualTo("shop\\..*");
        assertThat(example.cursors.subscriptions())
                .containsExactly(new Subscription(1001, "shop\\..*", example.cursors.load(1001), 1));
    }

    @Test
    void clientsBeyondTheLimitAreRejected() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            for (int id = 1; id <= 100; id++) {
                assertThat(client.subscribe(Integer.toString(id), "").getErrorCode())
                        .isZero();
            }
            Ack answer = client.subscribe("101", "");
            assertThat(answer.getErrorCode()).isEqualTo(400);
            assertThat(answer.getErrorMessage()).contains("has 100 clients", "canal.tcp.max.subscriptions");
            assertThat(client.subscribe("100", "shop\\..*").getErrorCode()).isZero(); // one of them, again
            assertThat(example.cursors.subscriptions()).hasSize(100);
        }
    }

    @Test
    void aFilterReachesTheInstanceAndIsKept() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            client.subscribe("shop\\..*");
            assertThat(example.filter()).isEqualTo("shop\\..*");
            assertThat(example.cursors.subscriptions()).hasSize(1);
            assertThat(client.unsubscribe().getErrorCode()).isZero();
            assertThat(example.cursors.subscriptions()).isEmpty();
        }
    }

    @Test
    void aWaitingGetDelaysNoOtherClient() throws Exception {
        int waiting = 32; // more than there are threads of any kind
        WireClient[] waiters = new WireClient[waiting];
        for (int i = 0; i < waiting; i++) {
            waiters[i] = WireClient.open(example.address());
            waiters[i].subscribe("");
            waiters[i].askFor(1024, 0);
        }
        try (WireClient client = WireClient.open(example.address())) {
            example.store.put(List.of(begin(4), end(50)));
            Messages batch = client.get(1000);
            assertThat(batch.getMessagesCount()).isEqualTo(2);
            client.ack(batch.getBatchId());
            client.askFor(1000, 30);
            assertThat(client.readMessages().getBatchId()).isEqualTo(-1);
        }
        for (WireClient waiter : waiters) {
            waiter.close();
        }
        await().until(() -> example.server.connections() == 0);
        example.store.put(List.of(begin(90)));
        try (WireClient client = WireClient.open(example.address())) {
            assertThat(client.get(1).getMessagesCount()).isEqualTo(1); // no disconnected client took it
        }
    }

    @Test
    void requestsOfOneConnectionAreAnsweredInTheirOrder() throws Exception {
        try (WireClient client = WireClient.open(example.address())) {
            client.subscribe("");
            client.askFor(1, 100);
            for (int i = 0; i < 500; i++) {
                client.askFor(1, -1);
            }
            client.ack(12345);
            example.store.put(List.of(begin(4), end(50)));
            for (int i = 1; i <= 2; i++) {
                assertThat(client.readMessages().getBatchId()).isBetween(-1L, 2L);
            }
            for (int i = 2; i < 501; i++) {
                client.readMessages();
            }
            assertThat(client.readAck().getErrorMessage()).contains("batchId:12345 is not exist");
        }
    }

    @Test
    void aSilentClientIsClosedAfterTheTimeoutThatItRequested() throws Exception {
        try (WireClient client = WireClient.connect(example.address())) {
            client.readHandshake();
            client.send(
                    PacketType.CLIENTAUTHENTICATION,
                    ClientAuth.newBuilder().setNetReadTimeout(100).build());
            client.readAck();
            assertThat(client.isClosedByServer()).isTrue();
        }
    }
}
