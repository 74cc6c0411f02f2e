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
import org.junit.jupiter.api.Test;

/** What a client sends while its wrong login is not answered yet takes nothing of what all clients may hold. */
class PacketConversationTest {
    private static final int PACKET_BYTES = 8000;

    private final HeldPackets held = new HeldPackets(PACKET_BYTES);
    private final FrameDecoder frames = new FrameDecoder(HeldPackets.FREE_BYTES, held.connection());
    private final Login conversation = new Login(frames);
    private final EmbeddedChannel channel = new EmbeddedChannel(frames, conversation);

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

    private boolean isRoomForAnother() {
        HeldPackets.OfConnection other = held.connection();
        try {
            return other.add(HeldPackets.FREE_BYTES + 1);
        } finally {
            other.close();
        }
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
        assertThat(isRoomForAnother()).as("while they wait").isFalse();
        conversation.dropPackets();
        assertThat(isRoomForAnother()).isTrue();
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
