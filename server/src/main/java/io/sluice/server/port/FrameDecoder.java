package io.sluice.server.port;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.TooLongFrameException;
import java.util.List;

/**
 * Cuts what a client sends into packets.
 *
 * <pre>
 *   0            4
 *   +------------+------------------+
 *   | length     | packet           |
 *   | u32 BE     | length bytes     |
 *   +------------+------------------+
 * </pre>
 *
 * <p>A length is accepted only up to a limit, and memory grows with what has arrived, not with what was announced.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be closed is closed already
public final class FrameDecoder extends ByteToMessageDecoder {
    private static final int LENGTH_BYTES = 4;

    /** The first two bytes of a TLS client: the record of a handshake, and the major version. */
    private static final int TLS_HANDSHAKE = 0x1603;

    private final HeldPackets.OfConnection held;
    private int maxFrameBytes;
    private boolean failed;

    /** Whether the packet that is arriving is counted. */
    private boolean isCounted;

    /**
     * Reads packets of at most so many bytes, until {@link #allow} changes that.
     *
     * @param held has each packet from its announcement until it is {@linkplain #forget forgotten}, or the connection is closed
     */
    public FrameDecoder(int maxFrameBytes, HeldPackets.OfConnection held) {
        this.maxFrameBytes = maxFrameBytes;
        this.held = held;
    }

    /** Reads packets of at most so many bytes from now on. For the channel's event loop. */
    public void allow(int newMaxFrameBytes) {
        maxFrameBytes = newMaxFrameBytes;
    }

    /** States that a packet of so many bytes was answered or dropped. For the channel's event loop. */
    void forget(int packetBytes) {
        held.remove(packetBytes);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (failed) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (in.readableBytes() < LENGTH_BYTES) {
            return;
        }
        long length = in.getUnsignedInt(in.readerIndex());
        if (length > maxFrameBytes) {
            failed = true;
            in.skipBytes(in.readableBytes());
            throw new TooLongFrameException(
                    length >>> Short.SIZE == TLS_HANDSHAKE
                            ? "it begins with TLS, which this port does not have"
                            : "a packet of %d bytes was announced, but %d are allowed"
                                    .formatted(length, maxFrameBytes));
        }
        if (!isCounted && !held.add((int) length)) {
            failed = true;
            in.skipBytes(in.readableBytes());
            context.close();
            return;
        }
        isCounted = true;
        if (in.readableBytes() < LENGTH_BYTES + length) {
            return;
        }
        in.skipBytes(LENGTH_BYTES);
        byte[] packet = new byte[(int) length];
        in.readBytes(packet);
        isCounted = false;
        out.add(packet);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        held.close();
    }
}
