package io.sluice.server.tcp;

import static io.sluice.server.pull.TestEntry.begin;
import static io.sluice.server.pull.TestEntry.end;
import static io.sluice.server.pull.TestEntry.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.client.ChangeBatch;
import io.sluice.client.ClientOptions;
import io.sluice.client.NoServerException;
import io.sluice.client.PullClient;
import io.sluice.client.RequestRejectedException;
import io.sluice.client.ServerAddress;
import io.sluice.client.ServerFinder;
import io.sluice.client.ServerList;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.entry.Header;
import io.sluice.server.config.instance.StoreConfig;
import io.sluice.server.pull.TestEntry;
import io.sluice.store.ring.BatchMode;
import io.sluice.store.ring.RingConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client that follows its destination, against real ports of two servers. Its limits are too long for any test. */
@Timeout(60)
class FollowingClientTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final String STORED = "e3619321c1a937c46a0d8bd1dac39f93b27d4458"; // of the password canal

    private final HandFinder finder = new HandFinder();
    private OneDestination one;
    private OneDestination two;
    private PullClient client;

    /** A finder whose answers the test sets. */
    private static final class HandFinder implements ServerFinder {
        private volatile Optional<ServerAddress> server = Optional.empty();
        private volatile Runnable listener = () -> {};
        private volatile boolean isGoneWhenFound;
        private volatile boolean closed;

        void find(InetSocketAddress address) {
            server = Optional.of(FollowingClientTest.address(address));
            listener.run();
        }

        /** Finds it once more only. */
        void loseWhenFound() {
            isGoneWhenFound = true;
        }

        @Override
        public Optional<ServerAddress> find() {
            Optional<ServerAddress> found = server;
            if (isGoneWhenFound) {
                server = Optional.empty();
            }
            return found;
        }

        @Override
        public boolean isReplaced(ServerAddress old) {
            return server.filter(current -> !current.equals(old)).isPresent();
        }

        @Override
        public void onChange(Runnable newListener) {
            listener = newListener;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** An entry whose bytes are a message. */
    private static Entry readable(Entry entry) {
        return TestEntry.of(
                entry.kind(),
                entry.changeId().offset(),
                io.sluice.protocol.entry.Entry.newBuilder()
                        .setHeader(Header.newBuilder()
                                .setLogfileOffset(entry.changeId().offset()))
                        .build()
                        .toByteArray());
    }

    @BeforeEach
    void start() throws Exception {
        one = start("");
        two = start("");
        for (OneDestination server : List.of(one, two)) {
            server.store.put(List.of(readable(begin(1)), readable(rows(2)), readable(end(3))));
        }
        client = PullClient.follow(ClientOptions.of("example").withTimeout(LONG), finder, LONG);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        one.close();
        two.close();
    }

    private static OneDestination start(String storedPassword) throws IOException {
        return OneDestination.start(
                OneDestination.config(storedPassword.isEmpty() ? "" : "canal", storedPassword, OneDestination.LIMITS),
                new StoreConfig(new RingConfig(1024, 1024, false), BatchMode.ITEMSIZE, true));
    }

    private static ServerAddress address(InetSocketAddress address) {
        return new ServerAddress("127.0.0.1", address.getPort());
    }

    @Test
    void whatWasNotAckedComesAgainFromTheNextServer() throws Exception {
        finder.find(one.address());
        client.subscribe("shop\\..*");
        ChangeBatch lost = client.getWithoutAck(3, LONG);
        assertThat(lost.entries()).hasSize(3);

        one.close();
        finder.find(two.address());
        ChangeBatch again = client.getWithoutAck(3, LONG);
        assertThat(again.entries()).isEqualTo(lost.entries());
        assertThat(two.filter()).isEqualTo("shop\\..*");

        // The second server has given its batch the number of the first's.
        assertThat(again.id()).isEqualTo(lost.id());
        client.ack(lost);
        client.rollback();
        ChangeBatch third = client.getWithoutAck(3, LONG);
        assertThat(third.entries())
                .as("an ack of a lost batch confirms nothing")
                .isEqualTo(lost.entries());
        client.ack(third);
        await().until(() -> two.store.stats().acked().entries() == 3);
    }

    /** The connection stays open while the instance is reloaded, so the client does not know that its batch is void. */
    @Test
    void anAckAfterAReloadConfirmsNothingOfTheNextInstance() throws Exception {
        finder.find(one.address());
        client.subscribe("");
        ChangeBatch before = client.getWithoutAck(3, LONG);
        one.replaceInstance();
        one.store.put(List.of(readable(begin(1)), readable(rows(2)), readable(end(3)), readable(begin(4))));
        ChangeBatch after = client.getWithoutAck(3, LONG);
        assertThat(after.entries()).isEqualTo(before.entries());

        client.ack(before);

        ChangeBatch again = client.getWithoutAck(3); // over a new connection, since the ack is refused
        assertThat(again.entries()).isEqualTo(before.entries());
        assertThat(one.store.stats().acked().entries()).isZero();
        client.ack(again);
        await().until(() -> one.store.stats().acked().entries() == 3);
    }

    /** As when its cursor was deleted, or another process with its id has unsubscribed. */
    @Test
    void theClientSubscribesAgainIfTheServerHasLostItsSubscription() throws Exception {
        finder.find(one.address());
        client.subscribe("shop\\..*");
        one.clients.unsubscribe(1001);

        assertThat(client.getWithoutAck(3, LONG).entries()).hasSize(3);

        assertThat(one.filter()).isEqualTo("shop\\..*");
        client.unsubscribe();
        assertThatThrownBy(() -> client.getWithoutAck(3))
                .isInstanceOf(RequestRejectedException.class)
                .hasMessageContaining("should subscribe first");
    }

    @Test
    void theClientLeavesAServerThatHangsWhenAnotherHasTakenOver() throws Exception {
        finder.find(one.address());
        client.subscribe("");
        client.ack(client.getWithoutAck(3, LONG));
        Getting getting = new Getting(client);
        await().until(getting::isWithinRead);

        finder.find(two.address());

        assertThat(getting.batch.get().entries()).hasSize(3);
    }

    @Test
    void theClientLeavesAServerThatHangsInTheLogin() throws Exception {
        try (ServerSocket hanging = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            finder.find((InetSocketAddress) hanging.getLocalSocketAddress());
            CompletableFuture<Void> subscribed = CompletableFuture.runAsync(() -> {
                try {
                    client.subscribe("");
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            try (Socket mute = hanging.accept()) {
                finder.find(two.address());
                subscribed.get();
                assertThat(mute.isConnected()).isTrue();
            }
        }
        assertThat(client.getWithoutAck(3, LONG).entries()).hasSize(3);
    }

    /** A get that waits, in a separate thread. */
    private static final class Getting {
        final CompletableFuture<ChangeBatch> batch = new CompletableFuture<>();
        private final Thread thread;

        Getting(PullClient client) {
            thread = new Thread(() -> {
                try {
                    batch.complete(client.getWithoutAck(3, LONG));
                } catch (IOException e) {
                    batch.completeExceptionally(e);
                }
            });
            thread.start();
        }

        boolean isWithinRead() {
            return Stream.of(thread.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("read")
                            && frame.getClassName().startsWith("java.net"));
        }
    }

    @Test
    void theServerOfAListThatRunsTheDestinationIsUsed() throws Exception {
        one.clients.close(); // the port answers, the destination does not run there
        ServerList list = ServerList.of(List.of(address(one.address()), address(two.address())));
        try (PullClient listed = PullClient.follow(ClientOptions.of("example"), list, LONG)) {
            listed.subscribe("");
            assertThat(listed.getWithoutAck(3, LONG).entries()).hasSize(3);
        }
    }

    @Test
    void aMissingServerIsReportedAfterTheTimeout() {
        Duration patience = Duration.ofMillis(300);
        assertThatThrownBy(() -> PullClient.follow(ClientOptions.of("example"), finder, patience)
                        .subscribe(""))
                .isInstanceOf(NoServerException.class)
                .hasMessage("no server that runs example was found within 300 ms: none is known")
                .hasNoCause();

        one.clients.close();
        finder.find(one.address());
        finder.loseWhenFound(); // or the last attempt of several may have no time left for an answer
        assertThatThrownBy(() -> PullClient.follow(ClientOptions.of("example"), finder, Duration.ofSeconds(8))
                        .subscribe(""))
                .isInstanceOf(NoServerException.class)
                .hasMessageContaining("the last attempt failed: something goes wrong with channel")
                .hasCauseInstanceOf(RequestRejectedException.class);
    }

    @Test
    void errorsThatNoOtherServerWouldAvoidAreReportedAtOnce() throws Exception {
        finder.find(one.address());
        assertThatThrownBy(() -> client.getWithoutAck(1))
                .isInstanceOf(RequestRejectedException.class)
                .hasMessageContaining("should subscribe first");

        one.close();
        one = start(STORED);
        finder.find(one.address());
        ClientOptions wrong = ClientOptions.of("example").withLogin("canal", "wrong");
        assertThatThrownBy(() -> PullClient.follow(wrong, finder, LONG).subscribe(""))
                .isInstanceOf(RequestRejectedException.class)
                .hasMessageContaining("auth failed");
    }

    @Test
    void aCloseEndsWhatAnotherThreadWaitsFor() throws Exception {
        Getting searching = new Getting(client);
        client.close();
        assertThatThrownBy(searching.batch::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("the client is closed");
        assertThat(finder.closed).isTrue();
        client.close();

        finder.find(one.address());
        client = PullClient.follow(ClientOptions.of("example").withTimeout(LONG), finder, LONG);
        client.subscribe("");
        client.ack(client.getWithoutAck(3, LONG));
        Getting pulling = new Getting(client);
        await().until(pulling::isWithinRead);
        client.close();
        assertThatThrownBy(pulling.batch::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("the client is closed");
        assertThatThrownBy(() -> client.rollback()).hasMessage("the client is closed");
    }
}
