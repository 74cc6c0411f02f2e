package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.protocol.time.Time;
import io.sluice.testkit.log.LogLines;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class HeldPacketsTest {
    private static final int FREE = HeldPackets.FREE_BYTES;

    @AutoClose
    private final LogLines lines = LogLines.of(RejectionLog.class);

    private final FailingTime time = new FailingTime();
    private final RejectionLog rejections = new RejectionLog(time);
    private final HeldPackets held = new HeldPackets(100_000, rejections);

    /** A connection, what it holds, and whether it is open. */
    private final class Client {
        private final EmbeddedChannel channel;
        private final HeldPackets.OfConnection packets;

        Client(String address) {
            channel = new EmbeddedChannel(new EndOfTls()) {
                @Override
                protected SocketAddress remoteAddress0() {
                    return new InetSocketAddress(address, 4711);
                }
            };
            packets = held.connection(channel);
        }

        Client() {
            this("192.0.2.1");
        }

        Client holding(int bytes) {
            assertThat(packets.add(bytes + FREE)).isTrue();
            return this;
        }

        boolean isOpen() {
            return channel.isOpen();
        }
    }

    /** The clock by which lines are logged, which may fail. */
    private static final class FailingTime implements Time {
        private boolean fails;

        @Override
        public long nanos() {
            if (fails) {
                throw new IllegalStateException("no line can be logged");
            }
            return SYSTEM.nanos();
        }

        @Override
        public long millis() {
            return SYSTEM.millis();
        }

        @Override
        public void sleep(Duration length) {
            throw new AssertionError("nothing waits here");
        }
    }

    /** Does not close before its last word is read, which is never. */
    private static final class EndOfTls extends ChannelOutboundHandlerAdapter {
        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            // waits
        }
    }

    @Test
    void whatAConnectionMayHaveInAnyCaseClosesNone() {
        Client large = new Client().holding(99_000);
        Client other = new Client();

        assertThat(other.packets.add(FREE - 100)).isTrue();

        assertThat(large.isOpen()).isTrue();
        assertThat(rejections.total()).isZero();
    }

    @Test
    void theConnectionThatHoldsMostIsClosedAndNotTheNewOne() {
        Client first = new Client().holding(30_000);
        Client large = new Client().holding(50_000);

        Client newest = new Client().holding(40_000);

        assertThat(large.isOpen()).isFalse();
        assertThat(large.packets.add(1)).as("it is being closed").isFalse();
        assertThat(first.isOpen()).isTrue();
        assertThat(newest.isOpen()).isTrue();
        assertThat(lines.texts())
                .singleElement()
                .asString()
                .contains("remote=/192.0.2.1:4711", "take more than 100000 bytes", " and it 58224 bytes");
    }

    @Test
    void aConnectionIsClosedAlsoIfThatCannotBeLogged() {
        Client large = new Client().holding(90_000);
        Client newest = new Client();
        time.fails = true;

        assertThatIllegalStateException().isThrownBy(() -> newest.packets.add(40_000));

        assertThat(large.isOpen()).isFalse();
    }

    @Test
    void theNewConnectionIsClosedIfItHoldsMost() {
        Client first = new Client().holding(30_000);
        Client newest = new Client();

        assertThat(newest.packets.add(80_000)).isFalse();

        assertThat(newest.isOpen()).isFalse();
        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void ofEqualsTheOneIsClosedThatHasHeldForTheLongestTime() {
        Client again = new Client().holding(40_000);
        Client oldest = new Client().holding(40_000);
        again.packets.remove(40_000 + FREE);
        again.holding(40_000);

        Client newest = new Client().holding(40_000);

        assertThat(oldest.isOpen()).isFalse();
        assertThat(again.isOpen()).isTrue();
        assertThat(newest.isOpen()).isTrue();
    }

    /** Many connections of one host with a little each do not close the one of another with more. */
    @Test
    void theNetworkThatHoldsMostMakesRoom() {
        Client other = new Client("192.0.2.2").holding(30_000);
        Client[] many = new Client[7];
        for (int i = 0; i < many.length; i++) {
            many[i] = new Client("2001:db8::" + (1 + i)).holding(10_000);
        }

        assertThat(other.isOpen()).isTrue();
        assertThat(many[0].isOpen()).isFalse();
        assertThat(many[1].isOpen()).isTrue();
    }

    @Test
    void severalAreClosedIfOneIsNotEnough() {
        Client[] many = new Client[5];
        for (int i = 0; i < many.length; i++) {
            many[i] = new Client().holding(15_000);
        }
        Client other = new Client("192.0.2.2").holding(24_000);

        assertThat(other.packets.add(30_000)).isTrue();

        assertThat(many).extracting(Client::isOpen).containsExactly(false, false, true, true, true);
    }

    @Test
    void aSinglePacketIsAcceptedWhateverItsLength() {
        Client one = new Client().holding(1 << 28);
        one.packets.remove((1 << 28) + FREE);

        new Client().holding(90_000);

        assertThat(one.isOpen()).isTrue();
    }

    @Test
    void whatWasAnsweredOrClosedMakesRoom() {
        Client one = new Client().holding(50_000);
        one.packets.add(40_000);
        one.packets.remove(40_000);
        one.packets.close();
        one.packets.close();
        one.packets.remove(50_000 + FREE);
        Client two = new Client().holding(99_000);

        Client three = new Client().holding(500);

        assertThat(two.isOpen()).isTrue();
        assertThat(three.isOpen()).isTrue();
        assertThat(rejections.total()).isZero();
    }

    @Test
    void aConnectionThatWasClosedForRoomIsForgottenOnce() {
        Client large = new Client().holding(90_000);
        new Client("192.0.2.2").holding(50_000);
        assertThat(large.isOpen()).isFalse();
        large.packets.remove(10_000);
        large.packets.close();

        Client third = new Client("192.0.2.3").holding(49_000);

        assertThat(third.isOpen()).isTrue();
        assertThat(rejections.total()).isOne();
    }
}
