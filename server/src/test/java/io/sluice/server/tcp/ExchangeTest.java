package io.sluice.server.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.protocol.packet.PacketType;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExchangeTest {
    private final HandTime time = new HandTime();
    private final ClientCounts counts = new ClientCounts();

    /** Takes answers and drops them. */
    private static final class Nowhere implements Reply {
        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void whenGone(Runnable task) {}

        @Override
        public void send(ByteBuf frame, Runnable whenSent) {
            frame.release();
        }

        @Override
        public void sendAndClose(ByteBuf frame) {
            frame.release();
        }

        @Override
        public void silence() {}
    }

    private Exchange exchange(PacketType type) {
        Exchange exchange = new Exchange(type, counts, new Nowhere(), time);
        exchange.setDestination("example");
        return exchange;
    }

    private static ByteBuf frame(int bytes) {
        return Unpooled.wrappedBuffer(new byte[bytes]);
    }

    @Test
    void destinationsThatAreRemovedAreNotCountedAnyMore() {
        exchange(PacketType.CLIENTACK).silence();
        new Exchange(PacketType.HANDSHAKE, counts, new Nowhere(), time).silence();

        counts.retain(List.of("example"));
        assertThat(counts.all()).containsOnlyKeys("example", ClientCounts.UNKNOWN);
        counts.retain(List.of("other"));
        assertThat(counts.all()).containsOnlyKeys(ClientCounts.UNKNOWN);
    }

    @Test
    void countsAnAnswerByTheTimeFromTheRequestToIt() {
        Exchange get = exchange(PacketType.GET);
        Exchange ack = exchange(PacketType.CLIENTACK);
        time.pass(Duration.ofNanos(2_500_000)); // a bound belongs to the smaller times
        ack.silence();
        time.pass(Duration.ofMillis(200));
        get.send(frame(30), () -> {});

        ClientCounts.OfDestination found = counts.of("example");
        assertThat(found.latencies())
                .isEqualTo(Map.of(2.5, 1L, 10.0, 0L, 25.0, 0L, 100.0, 0L, Double.POSITIVE_INFINITY, 1L));
        assertThat(found.latencySumMillis()).isEqualTo(205.0);
        assertThat(found.packets()).isEqualTo(Map.of("GET", 1L, "CLIENTACK", 1L));
        assertThat(found.bytes()).isEqualTo(30);
    }

    @Test
    void countsTheWaitOfAGetThatGetsNoEntries() {
        Exchange get = exchange(PacketType.GET);
        time.passSeconds(3);
        get.sendNothing(frame(12));

        ClientCounts.OfDestination found = counts.of("example");
        assertThat(found.emptyBatches()).isEqualTo(1);
        assertThat(found.packets()).isEmpty();
        assertThat(found.latencySumMillis()).isEqualTo(3_000.0);
    }
}
