package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client sends while its wrong login is not answered yet takes nothing of what all clients may hold. */
class PacketConversationTest {
    private static final int PACKET_BYTES = 8000;

    private static final int MOST_BYTES = 50 * PACKET_BYTES;

    private final RejectionLog rejections = new RejectionLog(Time.SYSTEM);
    private final HeldPackets held = new HeldPackets(MOST_BYTES, rejections);
    private final EmbeddedChannel channel = new EmbeddedChannel(false, true);
    private final FrameDecoder frames = new FrameDecoder(HeldPackets.FREE_BYTES, held.connection(channel));
    private final Login conversation = new Login(frames);

    @BeforeEach
    void open() throws Exception {
        channel.pipeline().addLast(frames, conversation);
        channel.register();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void send(int packets) {
        for (int i = 0; i < packets; i++) {
            byte[] packet = Packet.newBuilder()
                    .setBody(ByteString.copyFrom(new byte[PACKET_BYTES]))
                    .build()
                    .toByteArray();
            channel.writeInbound(Unpooled.copyInt(packet.length), Unpooled.wrappedBuffer(packet));
        }
    }

    /** Whether another connection may hold all that there is without one of the two being closed. */
    private boolean isRoomForAnother() {
        HeldPackets.OfConnection other = held.connection(new EmbeddedChannel());
        other.add(MOST_BYTES);
        other.close();
        return rejections.total() == 0;
    }

    @Test
    void packetsThatAreDroppedAreNotHeld() {
        send(1);
        conversation.dropPackets();
        send(20);
        assertThat(channel.isActive()).isTrue();
        assertThat(isRoomForAnother()).isTrue();
    }

    @Test
    void packetsThatWaitedAreNotHeldWhenTheyAreDropped() {
        send(20);
        conversation.dropPackets();
        assertThat(isRoomForAnother()).isTrue();
    }

    @Test
    void packetsThatWaitAreHeld() {
        send(20);
        assertThat(isRoomForAnother()).isFalse();
    }

    /** Whose login is answered late. */
    private static final class Login extends PacketConversation<Packet> {
        Login(FrameDecoder frames) {
            super(
                    new Terms(
                            false,
                            Duration.ofMinutes(1),
                            Duration.ofMinutes(1),
                            new RejectionLog(Time.SYSTEM),
                            Runnable::run,
                            new SecureRandom()),
                    frames,
                    Packet.parser());
        }

        @Override
        protected byte[] greeting(byte[] sentSeed) {
            return sentSeed;
        }

        @Override
        protected void logIn(Channel client, Packet packet, byte[] sentSeed) {
            // the answer is late
        }

        @Override
        protected void request(Channel client, Packet packet) {
            throw new AssertionError("it has not logged in");
        }
    }
}
