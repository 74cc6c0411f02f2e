package io.sluice.server.tcp;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.wire.Rejection;
import io.sluice.protocol.wire.Scramble;
import io.sluice.protocol.wire.ServerPackets;
import io.sluice.server.port.FrameDecoder;
import io.sluice.server.port.Frames;
import io.sluice.server.port.Shown;
import io.sluice.server.port.SilenceGuard;
import io.sluice.server.port.StallGuard;
import io.sluice.server.pull.PullException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: greets it, lets it log in, and then answers its requests, one after the other.
 *
 * <p>A request is taken when the answer to the one before has left, so a client that does not read stops itself and no other
 * else. Requests that come meanwhile are kept up to a small sum; then nothing more is read from the socket. All fields
 * belong to the channel's event loop; the work is done by the workers.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
final class Connection extends SimpleChannelInboundHandler<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final int FAILED = 400;

    /** Requests beyond this sum stay in the socket. */
    private static final int MAX_PENDING_BYTES = 256 * 1024;

    private static final int MAX_PENDING = 64;

    /** How often it is looked whether a destination has started. */
    private static final long START_CHECK_MILLIS = 50;

    private final TcpContext shared;
    private final FrameDecoder frames;
    private final byte[] seed = new byte[Scramble.SEED_BYTES];
    private final ArrayDeque<byte[]> pending = new ArrayDeque<>();

    private long pendingBytes;
    private boolean greeted;
    private boolean busy;

    /** Whether its login was wrong, and the answer is late. */
    private boolean isRefused;

    private @Nullable Requests requests;
    private @Nullable OneReply current;

    Connection(TcpContext shared, FrameDecoder frames) {
        this.shared = shared;
        this.frames = frames;
        shared.random().nextBytes(seed);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.executor()
                .schedule(
                        () -> {
                            if (requests == null && context.channel().isActive()) {
                                close(context.channel(), "it did not log in in time");
                            }
                        },
                        shared.config().limits().handshakeTimeout().toNanos(),
                        TimeUnit.NANOSECONDS);
        if (shared.config().tls().isEmpty()) {
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
        greeted = true;
        context.writeAndFlush(Frames.of(ServerPackets.handshake(seed)));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, byte[] packet) {
        if (isRefused || !context.channel().isActive()) {
            return;
        }
        pending.add(packet);
        pendingBytes += packet.length;
        if (pending.size() >= MAX_PENDING || pendingBytes >= MAX_PENDING_BYTES) {
            context.channel().config().setAutoRead(false);
        }
        next(context.channel());
    }

    /** Takes the next request if none is being answered. */
    private void next(Channel channel) {
        if (busy || !greeted || !channel.isActive()) {
            return;
        }
        byte[] frame = pending.poll();
        if (frame == null) {
            return;
        }
        pendingBytes -= frame.length;
        if (pending.size() < MAX_PENDING && pendingBytes < MAX_PENDING_BYTES) {
            channel.config().setAutoRead(true);
        }
        Packet packet;
        try {
            packet = Packet.parseFrom(frame);
        } catch (InvalidProtocolBufferException e) {
            close(channel, "it sent what is no packet");
            return;
        }
        busy = true;
        Requests open = requests;
        if (open == null) {
            logIn(channel, packet);
        } else {
            OneReply reply = new OneReply(channel);
            current = reply;
            work(channel, () -> open.isEarly(packet), () -> open.answer(packet, reply));
        }
    }

    /** Lets a worker do it when it is not early any more; none is kept waiting. */
    private void work(Channel channel, BooleanSupplier isEarly, Runnable task) {
        work(channel, () -> {
            if (isEarly.getAsBoolean()) {
                channel.eventLoop()
                        .schedule(
                                () -> {
                                    if (channel.isActive()) {
                                        work(channel, isEarly, task);
                                    }
                                },
                                START_CHECK_MILLIS,
                                TimeUnit.MILLISECONDS);
            } else {
                task.run();
            }
        });
    }

    /** Lets a worker do it; if that ends without an answer, no other request would be taken, so the connection is closed. */
    private void work(Channel channel, Runnable task) {
        try {
            shared.workers().execute(() -> {
                try {
                    task.run();
                } catch (Throwable e) { // an Error; the top of the task
                    LOG.error("a request failed: remote={}", text(channel), e);
                    close(channel, "its request failed");
                }
            });
        } catch (RuntimeException | Error e) { // as when no thread can be started
            close(channel, "no worker takes its request: " + e);
        }
    }

    /** The first packet, whatever type it says it is. */
    private void logIn(Channel channel, Packet packet) {
        ClientAuth client;
        try {
            client = ClientAuth.parseFrom(packet.getBody());
        } catch (InvalidProtocolBufferException e) {
            close(channel, "its login cannot be read");
            return;
        }
        if (!shared.login().accepts(client.getUsername(), client.getPassword(), seed)) {
            refuseLogin(channel, Rejection.authFailed(Shown.text(client.getUsername())));
            return;
        }
        if (!shared.admission().authenticated(channel)) {
            return; // it is being closed
        }
        Duration longest = shared.config().limits().idleTimeout();
        Duration readIdle = SilenceGuard.granted(client.getNetReadTimeout(), longest);
        Duration writeIdle = SilenceGuard.granted(client.getNetWriteTimeout(), longest);
        Requests opened = new Requests(
                shared.destinations(),
                shared.counts(),
                shared.subscriptions(),
                text(channel),
                readIdle.dividedBy(2),
                shared.time());
        frames.allow(shared.config().limits().frameBytes());
        if (client.getDestination().isEmpty() || client.getClientId().isEmpty()) {
            open(channel, opened, readIdle, writeIdle);
            return;
        }
        work(channel, () -> opened.isStarting(client.getDestination()), () -> {
            try {
                opened.subscribe(client.getDestination(), client.getClientId(), client.getFilter());
                channel.eventLoop().execute(() -> open(channel, opened, readIdle, writeIdle));
            } catch (PullException e) {
                refuse(
                        channel,
                        "it cannot subscribe: " + Shown.text(String.valueOf(e.getMessage())),
                        Requests.failure(text(channel), String.valueOf(e.getMessage())));
            } catch (RuntimeException e) {
                close(channel, "it cannot subscribe: " + e);
            }
        });
    }

    private void open(Channel channel, Requests opened, Duration readIdle, Duration writeIdle) {
        if (!channel.isActive()) {
            return; // a guard that is added now would never be removed, and its task would keep the connection
        }
        requests = opened;
        channel.pipeline()
                .addFirst(new SilenceGuard(readIdle, writeIdle))
                .addFirst(new StallGuard(
                        shared.config().limits().writeTimeout(),
                        () -> shared.refusals().closed(channel.remoteAddress(), "it does not read its answers")));
        new OneReply(channel).send(Frames.of(ServerPackets.ok()), () -> {});
    }

    private static String text(Channel channel) {
        return String.valueOf(channel.remoteAddress());
    }

    /** Answers a wrong login, sooner or later, and closes. What comes until then is not kept. */
    private void refuseLogin(Channel channel, String answer) {
        if (!shared.lateAnswers().isLateAfterFailure(address(channel.remoteAddress()))) {
            refuse(channel, "wrong user or password", answer);
            return;
        }
        shared.refusals().closedAsLogged();
        isRefused = true;
        pending.clear();
        if (!shared.lateAnswers().answer(channel, () -> answerAndClose(channel, answer))) {
            channel.close();
        }
    }

    /** Answers a login by an error, and closes. */
    private void refuse(Channel channel, String why, String answer) {
        shared.refusals().closed(channel.remoteAddress(), why);
        answerAndClose(channel, answer);
    }

    private static void answerAndClose(Channel channel, String answer) {
        channel.writeAndFlush(Frames.of(ServerPackets.error(FAILED, answer))).addListener(ChannelFutureListener.CLOSE);
    }

    private static InetAddress address(@Nullable SocketAddress remote) {
        return remote instanceof InetSocketAddress inet ? inet.getAddress() : InetAddress.getLoopbackAddress();
    }

    private void close(Channel channel, String why) {
        shared.refusals().closed(channel.remoteAddress(), why);
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        pending.clear();
        if (current != null) {
            current.gone();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("a client is gone: remote={}", context.channel().remoteAddress(), cause);
            context.close();
        } else if (context.channel().isActive()) {
            Throwable root = cause.getCause() == null ? cause : cause.getCause();
            close(context.channel(), String.valueOf(root.getMessage()));
        }
    }

    /** The answer to the request that is being worked on. */
    private final class OneReply implements Reply {
        private final Channel channel;
        private volatile Runnable whenGone = () -> {};

        OneReply(Channel channel) {
            this.channel = channel;
        }

        @Override
        public boolean isOpen() {
            return channel.isActive();
        }

        @Override
        public void whenGone(Runnable task) {
            whenGone = task;
            if (!channel.isActive()) {
                task.run();
            }
        }

        void gone() {
            whenGone.run();
        }

        @Override
        public void send(ByteBuf frame, Runnable whenSent) {
            if (channel.eventLoop().isShuttingDown()) {
                frame.release();
                whenSent.run();
                return;
            }
            channel.writeAndFlush(frame).addListener(done -> {
                whenSent.run();
                end();
            });
        }

        @Override
        public void sendAndClose(ByteBuf frame) {
            if (channel.eventLoop().isShuttingDown()) {
                frame.release();
                return;
            }
            shared.refusals().closedAsLogged();
            channel.writeAndFlush(frame).addListener(ChannelFutureListener.CLOSE);
        }

        @Override
        public void silence() {
            if (!channel.eventLoop().isShuttingDown()) {
                channel.eventLoop().execute(this::end);
            }
        }

        private void end() {
            busy = false;
            next(channel);
        }
    }
}
