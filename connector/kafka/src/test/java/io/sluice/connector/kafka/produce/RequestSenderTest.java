package io.sluice.connector.kafka.produce;

import static io.sluice.connector.kafka.produce.LoopParts.PRODUCER;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** To which brokers it connects for the batches of a partition, and when it has the brokers asked for the leader; none of them answers. */
@Timeout(300)
class RequestSenderTest {
    private static final Uuid TOPIC_ID = new Uuid(1, 1);
    private static final int ACCEPT_MILLIS = 60_000;

    private final LoopParts loop = new LoopParts();
    private final HandTime time = loop.time;

    @AfterEach
    void close() {
        loop.close();
    }

    /** Such as one that is paused: the time until a request to it fails, or a further one, would be lost. */
    @Test
    void theBrokersAreAskedForTheLeaderWhileTheFormerOneTakesConnectionsAndDoesNotAnswer() throws IOException {
        try (ServerSocket silent = listening()) {
            loop.state(List.of(1), Map.of(1, silent.getLocalPort()));
            loop.lose(inFlight(1));
            loop.state(List.of(1), Map.of(1, silent.getLocalPort()));
            assertThat(isLeaderRequested()).isFalse();
            time.passSeconds(1);

            sendAll();

            assertThat(isLeaderRequested()).isTrue();
        }
    }

    /** Whichever of them is looked at first. */
    @Test
    void theBrokersAreAskedForTheLeaderAlsoIfABatchThatWasNotSentIsInFrontOfOneThatWas() throws IOException {
        try (ServerSocket silent = listening()) {
            loop.state(List.of(1, 1), Map.of(1, silent.getLocalPort()));
            loop.queues.add(loop.batch(1, "1"));
            loop.lose(inFlight(1));
            loop.state(List.of(1, 1), Map.of(1, silent.getLocalPort()));
            assertThat(isLeaderRequested()).isFalse();
            time.pass(Duration.ofMillis(100)); // the failed one's back-off

            sendAll();

            assertThat(isLeaderRequested()).isTrue();
        }
    }

    /** As after a connection was closed because it was idle, when the leader is paused meanwhile. */
    @Test
    void theBrokersAreAskedForTheLeaderAlsoIfNothingWasSentToTheFormerOne() throws IOException {
        try (ServerSocket silent = listening()) {
            loop.state(List.of(1), Map.of(1, silent.getLocalPort()));
            loop.queues.add(loop.batch(0, "1"));
            sendAll();
            assertThat(isLeaderRequested()).as("at once").isFalse();
            time.passSeconds(1);

            sendAll();

            assertThat(isLeaderRequested()).isTrue();
        }
    }

    /** Two leaders: a partition is looked at that must wait, and then another one, for which a connection is made. */
    @Test
    void noBatchIsSentToTheNextLeaderWhileOneIsUnansweredAtTheFormerOne() throws IOException {
        try (ServerSocketChannel next = ServerSocketChannel.open();
                ServerSocket other = listening()) {
            next.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .configureBlocking(false);
            Map<Integer, Integer> ports = Map.of(1, 1, 2, next.socket().getLocalPort(), 3, other.getLocalPort());
            loop.state(List.of(1, 3), ports);
            Request unused = inFlight(1);
            loop.state(List.of(2, 3), ports);
            loop.queues.add(loop.batch(0, "1"));
            loop.queues.add(loop.batch(1, "1"));

            sendAll();

            try (Socket connected = other.accept()) {
                assertThat(connected.isConnected()).isTrue();
            }
            assertThat(next.accept()).as("a connection to the next leader").isNull();
        }
    }

    /** To the same one, and to the same topic, there may be several. */
    @Test
    void aFurtherBatchIsSentToALeaderAtWhichOneIsUnanswered() throws IOException {
        try (ServerSocket leader = listening()) {
            loop.state(List.of(1), Map.of(1, leader.getLocalPort()));
            Request unused = inFlight(1);
            loop.queues.add(loop.batch(0, "1"));

            sendAll();

            try (Socket connected = leader.accept()) {
                assertThat(connected.isConnected()).isTrue();
            }
        }
    }

    private static ServerSocket listening() throws IOException {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        socket.setSoTimeout(ACCEPT_MILLIS);
        return socket;
    }

    /** Takes a batch of partition 0 for a broker, as it is sent, after one that was acknowledged, so that another one may follow. */
    private Request inFlight(int broker) {
        PartitionQueue queue = loop.queues.of("shop", 0);
        queue.add(loop.batch(0, "100"));
        queue.add(loop.batch(0, "101"));
        OutgoingBatch first = queue.takeNext(PRODUCER, time.nanos());
        assertThat(queue.acknowledged(first, 0, time.nanos())).containsExactly(first);
        return loop.send(queue, new Node(broker, "127.0.0.1", 1), TOPIC_ID);
    }

    private void sendAll() {
        long unused = loop.sender.sendAll(PRODUCER, time.nanos());
    }

    private boolean isLeaderRequested() {
        return loop.cluster.metadata().updateRequested();
    }
}
