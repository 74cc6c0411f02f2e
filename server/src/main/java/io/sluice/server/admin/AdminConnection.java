package io.sluice.server.admin;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.sluice.protocol.admin.ClientAuth;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.wire.AdminPackets;
import io.sluice.protocol.wire.Rejection;
import io.sluice.protocol.wire.Scramble;
import io.sluice.server.port.Frames;
import io.sluice.server.port.Shown;
import io.sluice.server.port.SilenceGuard;
import io.sluice.server.port.StallGuard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the management port: greets it, lets it log in, and then answers its requests, one after the other.
 *
 * <p>While a request is being answered nothing more is read from the socket. After a failed login there is one answer, and nothing else is
 * answered. All fields belong to the channel's event loop; the work is done by the workers.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
final class AdminConnection extends SimpleChannelInboundHandler<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(AdminConnection.class);

    private final AdminContext shared;
    private final byte[] seed = new byte[Scramble.SEED_BYTES];
    private final ArrayDeque<byte[]> pending = new ArrayDeque<>();

    private boolean isBusy;
    private boolean isClosing;
    private @Nullable Session session;

    AdminConnection(AdminContext shared) {
        this.shared = shared;
        shared.random().nextBytes(seed);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.executor()
                .schedule(
                        () -> {
                            if (session == null && context.channel().isActive()) {
                                close(context.channel(), "it did not log in in time");
                            }
                        },
                        shared.limits().handshakeTimeout().toNanos(),
                        TimeUnit.NANOSECONDS);
        if (!shared.isEncrypted()) {
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
        context.writeAndFlush(Frames.of(AdminPackets.handshake(seed)));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, byte[] frame) {
        if (isClosing || !context.channel().isActive()) {
            return;
        }
        pending.add(frame);
        next(context.channel());
    }

    /** Takes the next packet if none is being answered. */
    private void next(Channel channel) {
        if (isBusy || isClosing || !channel.isActive()) {
            return;
        }
        byte[] frame = pending.poll();
        if (frame == null) {
            channel.config().setAutoRead(true);
            return;
        }
        Packet packet;
        try {
            packet = Packet.parseFrom(frame);
        } catch (InvalidProtocolBufferException e) {
            close(channel, "it sent what is no packet");
            return;
        }
        Session by = session;
        if (by == null) {
            logIn(channel, packet);
            return;
        }
        isBusy = true;
        channel.config().setAutoRead(false);
        shared.workers().execute(() -> send(channel, shared.requests().answer(packet, by)));
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
        Session by = new Session(client.getUsername(), text(channel.remoteAddress()));
        InetAddress address = address(channel.remoteAddress());
        Duration wait = shared.throttle().waitOf(address);
        if (!wait.isZero()) {
            refuse(
                    channel,
                    by,
                    "too many failed logins from this address, the next one is looked at in %d s"
                            .formatted(wait.toSeconds() + 1));
            return;
        }
        if (!shared.login().accepts(client.getUsername(), client.getPassword(), seed)) {
            shared.throttle().failed(address);
            refuse(channel, by, Rejection.authFailed(Shown.text(client.getUsername())));
            return;
        }
        shared.throttle().succeeded(address);
        if (!shared.admission().authenticated(channel)) {
            return; // it is being closed
        }
        shared.logins().succeeded(by);
        session = by;
        Duration longest = shared.limits().idleTimeout();
        channel.pipeline()
                .addFirst(new SilenceGuard(
                        SilenceGuard.granted(client.getNetReadTimeout(), longest),
                        SilenceGuard.granted(client.getNetWriteTimeout(), longest)))
                .addFirst(new StallGuard(
                        shared.limits().writeTimeout(),
                        () -> shared.refusals().closed(channel.remoteAddress(), "it does not read its answers")));
        isBusy = true;
        send(channel, Answer.of(""));
    }

    /** Sends an answer, and takes the next packet when it has left. By any thread. */
    private void send(Channel channel, Answer answer) {
        if (channel.eventLoop().isShuttingDown()) {
            return;
        }
        channel.writeAndFlush(Frames.of(AdminPackets.answer(answer.code(), answer.message())))
                .addListener(done -> {
                    isBusy = false;
                    next(channel);
                });
    }

    /** Answers a login by an error, and closes; whatever else the client sends is not looked at. */
    private void refuse(Channel channel, Session by, String why) {
        isClosing = true;
        pending.clear();
        shared.logins().failed(by, why);
        shared.refusals().closed(channel.remoteAddress(), why);
        channel.writeAndFlush(Frames.of(AdminPackets.answer(Answer.UNAUTHORIZED, why)))
                .addListener(ChannelFutureListener.CLOSE);
    }

    private void close(Channel channel, String why) {
        isClosing = true;
        pending.clear();
        shared.refusals().closed(channel.remoteAddress(), why);
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        pending.clear();
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

    private static String text(@Nullable SocketAddress remote) {
        return remote instanceof InetSocketAddress inet
                ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
                : String.valueOf(remote);
    }

    private static InetAddress address(@Nullable SocketAddress remote) {
        return remote instanceof InetSocketAddress inet ? inet.getAddress() : InetAddress.getLoopbackAddress();
    }
}
