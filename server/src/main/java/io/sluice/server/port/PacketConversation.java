package io.sluice.server.port;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.sluice.protocol.wire.Scramble;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conversation with one client of a port: greets it, waits for its login, and takes one packet after the other.
 *
 * <p>A packet is taken when the answer to the one before has left, so a client that does not read its answers stops itself and no other
 * one. Packets that arrive meanwhile are kept up to a small sum; then nothing more is read from the socket. The state belongs to the
 * channel's event loop; requests are answered by the workers.
 *
 * @param <P> the type of the packets
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
public abstract class PacketConversation<P extends Message> extends SimpleChannelInboundHandler<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(PacketConversation.class);

    /** Packets beyond this sum stay in the socket. */
    private static final int MAX_PENDING_BYTES = 256 * 1024;

    private static final int MAX_PENDING = 64;

    private final Terms terms;
    private final FrameDecoder frames;
    private final Parser<P> parser;
    private final byte[] seed = new byte[Scramble.SEED_BYTES];
    private final ArrayDeque<byte[]> pending = new ArrayDeque<>();

    private long pendingBytes;
    /** Of the packet that is being answered. */
    private int takenBytes;

    private boolean isGreeted;
    private boolean isBusy;
    private boolean isLoggedIn;

    /** Whether an answer that ends the connection is on its way; packets that arrive meanwhile are dropped. By any thread. */
    private volatile boolean isClosing;

    /**
     * What all conversations of a port have in common.
     *
     * @param isEncrypted whether the greeting waits for the TLS handshake
     * @param loginTimeout how long a client may take to log in
     * @param writeTimeout how long a client may leave an answer unread
     * @param rejections logs why connections are closed
     * @param workers answer the requests
     * @param random makes the seeds
     */
    public record Terms(
            boolean isEncrypted,
            Duration loginTimeout,
            Duration writeTimeout,
            RejectionLog rejections,
            Executor workers,
            SecureRandom random) {}

    /** Prepares to greet a client, as soon as the channel is active. */
    protected PacketConversation(Terms terms, FrameDecoder frames, Parser<P> parser) {
        super(byte[].class);
        this.terms = terms;
        this.frames = frames;
        this.parser = DiscardUnknownFieldsParser.wrap(parser); // unknown fields take many times their bytes of the heap
        terms.random().nextBytes(seed);
    }

    /** Makes the greeting, with the seed for the client's token. */
    protected abstract byte[] greeting(byte[] sentSeed);

    /**
     * Checks the first packet, of whatever type it is. It calls {@link #loggedIn}, and {@link #answered} after the answer, or closes the
     * connection; by the event loop.
     *
     * @param sentSeed the seed of the greeting
     */
    protected abstract void logIn(Channel channel, P packet, byte[] sentSeed);

    /**
     * Takes a packet after the login. It calls {@link #answered} after the answer, or closes the connection; by the event loop, which it
     * must not block.
     */
    protected abstract void request(Channel channel, P packet);

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.executor()
                .schedule(
                        () -> {
                            if (!isLoggedIn && context.channel().isActive()) {
                                close(context.channel(), "it did not log in in time");
                            }
                        },
                        terms.loginTimeout().toNanos(),
                        TimeUnit.NANOSECONDS);
        if (!terms.isEncrypted()) {
            greet(context);
        }
    }

    /** Over TLS the greeting waits for the handshake. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
            greet(context);
        }
        context.fireUserEventTriggered(event);
    }

    private void greet(ChannelHandlerContext context) {
        isGreeted = true;
        context.writeAndFlush(Frames.of(greeting(seed)));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, byte[] packet) {
        if (isClosing || !context.channel().isActive()) {
            frames.forget(packet.length);
            return;
        }
        pending.add(packet);
        pendingBytes += packet.length;
        if (pending.size() >= MAX_PENDING || pendingBytes >= MAX_PENDING_BYTES) {
            context.channel().config().setAutoRead(false);
        }
        next(context.channel());
    }

    /** Takes the next packet if none is being answered. */
    private void next(Channel channel) {
        if (isBusy || !isGreeted || isClosing || !channel.isActive()) {
            return;
        }
        byte[] frame = pending.poll();
        if (frame == null) {
            return;
        }
        pendingBytes -= frame.length;
        takenBytes = frame.length;
        if (pending.size() < MAX_PENDING && pendingBytes < MAX_PENDING_BYTES) {
            channel.config().setAutoRead(true);
        }
        P packet;
        try {
            packet = parser.parseFrom(frame);
        } catch (InvalidProtocolBufferException e) {
            close(channel, "it sent what is no packet");
            return;
        }
        isBusy = true;
        if (isLoggedIn) {
            request(channel, packet);
        } else {
            logIn(channel, packet, seed);
        }
    }

    /**
     * Opens the connection for requests: the login timeout ends, and the idle timeouts begin. By the event loop.
     *
     * @param readIdle how long nothing may be read
     * @param writeIdle how long nothing may be written
     */
    protected final void loggedIn(Channel channel, Duration readIdle, Duration writeIdle) {
        isLoggedIn = true;
        channel.pipeline()
                .addFirst(new SilenceGuard(readIdle, writeIdle))
                .addFirst(new StallGuard(
                        terms.writeTimeout(),
                        () -> terms.rejections().closed(channel.remoteAddress(), "it does not read its answers")));
    }

    /** Takes the next packet. To be called by the event loop when the answer to a packet has left. */
    protected final void answered(Channel channel) {
        if (isBusy) {
            frames.forget(takenBytes);
        }
        isBusy = false;
        next(channel);
    }

    /** Has a worker do a task. If that ends without an answer, no other packet would be taken, so the connection is closed. By any thread. */
    protected final void work(Channel channel, Runnable task) {
        try {
            terms.workers().execute(() -> {
                try {
                    task.run();
                } catch (Throwable e) { // an Error; the top of the task
                    LOG.error("a request failed: remote={}", channel.remoteAddress(), e);
                    close(channel, "its request failed");
                }
            });
        } catch (RuntimeException | Error e) { // as when no thread can be started
            close(channel, "no worker takes its request: " + e);
        }
    }

    /** Closes the connection, and logs why. By any thread. */
    protected final void close(Channel channel, String why) {
        isClosing = true;
        terms.rejections().closed(channel.remoteAddress(), why);
        channel.close();
    }

    /** Sends a last answer, and closes the connection; the reason is in the log already. By any thread. */
    protected final void closeAfter(Channel channel, ByteBuf answer) {
        isClosing = true;
        channel.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
    }

    /** Drops the packets that were received, and all that arrive until {@link #closeAfter} is called. By the event loop. */
    protected final void dropPackets() {
        isClosing = true;
        pending.forEach(packet -> frames.forget(packet.length));
        pending.clear();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        pending.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug(
                    "the client closed the connection: remote={}",
                    context.channel().remoteAddress(),
                    cause);
            context.close();
        } else if (context.channel().isActive()) {
            isClosing = true;
            terms.rejections().failed(context.channel(), cause);
            context.channel().close();
        }
    }

    /** The address of a client, by which its failed logins are counted. */
    protected static InetAddress address(Channel channel) {
        @Nullable SocketAddress remote = channel.remoteAddress();
        return remote instanceof InetSocketAddress inet ? inet.getAddress() : InetAddress.getLoopbackAddress();
    }
}
