package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.protocol.time.Time;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
    private static final int MOST_BYTES = 100_000;

    private final HeldPackets held = new HeldPackets(MOST_BYTES, new RejectionLog(Time.SYSTEM));

    /** It does not rely on the packets that are held to close it. */
    @Test
    void aConnectionWhosePacketHasNoRoomIsClosed() {
        held.connection(new EmbeddedChannel()).add(MOST_BYTES / 2);
        HeldPackets.OfConnection packets = held.connection(new EmbeddedChannel());
        EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(MOST_BYTES, packets));

        channel.writeInbound(Unpooled.copyInt(MOST_BYTES));

        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.finishAndReleaseAll()).isFalse();
    }
}
