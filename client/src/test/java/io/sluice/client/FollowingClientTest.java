package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.time.Time;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a following client does about servers that fail in ways that ours do not; the others are tested with the server. */
@Timeout(90)
class FollowingClientTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Clock clock = new Clock();
    private FakeServer one;
    private FakeServer two;

    /** The real clock, which the test can move. */
    private static final class Clock implements Time {
        private final AtomicLong ahead = new AtomicLong();

        void pass(Duration time) {
            ahead.addAndGet(time.toNanos());
        }

        @Override
        public long nanos() {
            return SYSTEM.nanos() + ahead.get();
        }

        @Override
        public long millis() {
            return SYSTEM.millis();
        }

        @Override
        public void sleep(Duration length) {
            throw new AssertionError("it waits to be woken");
        }
    }

    @BeforeEach
    void start() throws IOException {
        one = FakeServer.start();
        two = FakeServer.start();
    }

    @AfterEach
    void stop() throws IOException {
        one.close();
        two.close();
    }

    private PullClient client(FakeServer... servers) {
        ServerList list =
                ServerList.of(Stream.of(servers).map(FakeServer::address).toList());
        return new FollowingClient(ClientOptions.of("example"), list, LIMIT, clock);
    }

    /** As after an upgrade to a server that is stricter, or a fail-over from canal. */
    @Test
    void aFilterThatTheNextServerRejectsCanBeReplaced() throws IOException {
        try (PullClient client = client(one, two)) {
            client.subscribe("shop\\..*");
            two.reject("shop\\..*");
            one.close();
            assertThatThrownBy(() -> client.getWithoutAck(1))
                    .isInstanceOf(RequestRejectedException.class)
                    .hasMessageContaining("the filter is refused");

            client.subscribe("till\\..*");

            assertThat(client.getWithoutAck(1).isEmpty()).isTrue();
            assertThat(two.filters).containsExactly("shop\\..*", "till\\..*");
        }
    }

    @Test
    void aFilterThatIsRejectedLeavesTheFormerOne() throws IOException {
        one.reject("(a+)+");
        try (PullClient client = client(one)) {
            client.subscribe("shop\\..*");
            assertThatThrownBy(() -> client.subscribe("(a+)+")).isInstanceOf(RequestRejectedException.class);

            assertThat(client.getWithoutAck(1).isEmpty()).isTrue();
            assertThat(one.filters).containsExactly("shop\\..*", "(a+)+", "shop\\..*");
        }
    }

    @Test
    void aSubscriptionWithoutAFilterLeavesTheFormerOneAfterALostConnection() throws IOException {
        try (PullClient client = client(one, two)) {
            client.subscribe("shop\\..*");
            one.close();
            client.subscribe("");
            assertThat(two.filters).containsExactly("shop\\..*", "");
            two.onGet(out -> {
                two.onGet(FakeServer::sendNothing);
                throw new EOFException();
            });

            assertThat(client.getWithoutAck(1).isEmpty()).isTrue();

            assertThat(two.filters).containsExactly("shop\\..*", "", "shop\\..*");
        }
    }

    private void hang(DataOutputStream out) throws IOException {
        clock.pass(LIMIT.plusSeconds(1)); // what the client would have waited
        throw new EOFException();
    }

    @Test
    void aServerThatAnswersAllButGetsIsNotTriedForEver() throws IOException {
        one.onGet(this::hang);
        try (PullClient client = client(one)) {
            client.subscribe("");

            assertThatThrownBy(() -> client.getWithoutAck(1)).isInstanceOf(NoServerException.class);

            assertThat(one.gets)
                    .as("the one that lost the server, and two of the search")
                    .hasValue(3);
        }
    }

    /** With a limit that is not longer than the time that a request may take. */
    @Test
    void aServerThatHangsLeavesTimeForTheNextOne() throws IOException {
        one.onGet(this::hang);
        try (PullClient client = client(one, two)) {
            assertThat(client.getWithoutAck(1).isEmpty()).isTrue();

            assertThat(one.gets).hasValue(1);
            assertThat(two.gets).hasValue(1);
        }
    }

    @Test
    void aServerThatHangsInTheLoginLeavesTimeForTheNextOne() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            ServerList list =
                    ServerList.of(List.of(new ServerAddress("127.0.0.1", silent.getLocalPort()), two.address()));
            try (PullClient client = PullClient.follow(ClientOptions.of("example"), list, Duration.ofSeconds(12))) {
                assertThat(client.getWithoutAck(1).isEmpty()).isTrue();
            }
        }
    }

    @Test
    void aNegativeWaitTakesNothingFromTheSearch() throws IOException {
        one.onGet(out -> {
            if (one.gets.get() < 4) {
                throw new EOFException();
            }
            FakeServer.sendNothing(out);
        });
        try (PullClient client = client(one)) {
            assertThat(client.getWithoutAck(1, LIMIT.negated()).isEmpty()).isTrue();
        }
    }

    @Test
    void theTimeInWhichAServerIsLostDoesNotCount() throws IOException {
        one.onGet(this::hang);
        try (PullClient client = client(one, two)) {
            client.subscribe("");

            assertThat(client.getWithoutAck(1).isEmpty()).isTrue();

            assertThat(two.gets).hasValue(1);
        }
    }

    /** A finder that was made in the call itself cannot be closed by the caller. */
    @Test
    void aSearchThatMayTakeNoTimeIsRejectedAndItsFinderClosed() {
        Finder finder = new Finder();
        assertThatThrownBy(() -> PullClient.follow(ClientOptions.of("example"), finder, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a timeout of PT0S");
        assertThat(finder.closed).isTrue();
    }

    private static final class Finder implements ServerFinder {
        boolean closed;

        @Override
        public Optional<ServerAddress> find() {
            return Optional.empty();
        }

        @Override
        public boolean isReplaced(ServerAddress server) {
            return false;
        }

        @Override
        public void onChange(Runnable listener) {}

        @Override
        public void close() {
            closed = true;
        }
    }
}
