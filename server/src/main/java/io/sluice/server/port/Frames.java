package io.sluice.server.port;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Puts packets into frames; {@link FrameDecoder} is the other way. */
public final class Frames {
    private Frames() {}

    /** A packet after the four bytes of its length. */
    public static ByteBuf of(byte[] packet) {
        ByteBuf frame = Unpooled.buffer(Integer.BYTES + packet.length);
        return frame.writeInt(packet.length).writeBytes(packet);
    }
}
