package io.sluice.server.tcp;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.wire.Rejection;
import io.sluice.protocol.wire.ServerPackets;
import io.sluice.server.port.FrameDecoder;
import io.sluice.server.port.Frames;
import io.sluice.server.port.PacketConversation;
import io.sluice.server.port.PrintableInput;
import io.sluice.server.port.SilenceGuard;
import io.sluice.server.pull.PullException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The conversation with one client that pulls. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
final class Connection extends PacketConversation<Packet> {
    private static final int FAILED = 400;

    /** The interval of the checks whether a destination has started. */
    private static final long START_CHECK_MILLIS = 50;

    private final TcpContext shared;
    private final FrameDecoder frames;

    private @Nullable Requests requests;
    private @Nullable OneReply current;

    Connection(TcpContext shared, FrameDecoder frames) {
        super(
                new Terms(
                        shared.config().tls().isPresent(),
                        shared.config().limits().handshakeTimeout(),
                        shared.config().limits().writeTimeout(),
                        shared.rejections(),
                        shared.workers(),
                        shared.random()),
                frames,
                Packet.parser());
        this.shared = shared;
        this.frames = frames;
    }

    @Override
    protected byte[] greeting(byte[] sentSeed) {
        return ServerPackets.handshake(sentSeed);
    }

    @Override
    protected void request(Channel channel, Packet packet) {
        Requests open = Objects.requireNonNull(requests, "requests come after the login");
        OneReply reply = new OneReply(channel);
        current = reply;
        work(channel, () -> open.isEarly(packet), () -> open.answer(packet, reply));
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

    @Override
    protected void logIn(Channel channel, Packet packet, byte[] sentSeed) {
        ClientAuth client;
        try {
            client = ClientAuth.parseFrom(packet.getBody());
        } catch (InvalidProtocolBufferException e) {
            close(channel, "its login cannot be read");
            return;
        }
        if (!shared.login().accepts(client.getUsername(), client.getPassword(), sentSeed)) {
            rejectLogin(channel, Rejection.authFailed(PrintableInput.text(client.getUsername())));
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
                reject(
                        channel,
                        "it cannot subscribe: " + PrintableInput.text(String.valueOf(e.getMessage())),
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
        loggedIn(channel, readIdle, writeIdle);
        new OneReply(channel).send(Frames.of(ServerPackets.ok()), () -> {});
    }

    private static String text(Channel channel) {
        return String.valueOf(channel.remoteAddress());
    }

    /** Answers a wrong login, sooner or later, and closes. What comes until then is not kept. */
    private void rejectLogin(Channel channel, String answer) {
        if (!shared.lateAnswers().isLateAfterFailure(address(channel))) {
            reject(channel, "wrong user or password", answer);
            return;
        }
        shared.rejections().closedAsLogged();
        dropPackets();
        if (!shared.lateAnswers().answer(channel, () -> answerAndClose(channel, answer))) {
            channel.close();
        }
    }

    /** Answers a login by an error, and closes. */
    private void reject(Channel channel, String why, String answer) {
        shared.rejections().closed(channel.remoteAddress(), why);
        answerAndClose(channel, answer);
    }

    private void answerAndClose(Channel channel, String answer) {
        closeAfter(channel, Frames.of(ServerPackets.error(FAILED, answer)));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        super.channelInactive(context);
        if (current != null) {
            current.gone();
        }
    }

    private static void doNothing() {
        // an answer that waits for nothing
    }

    /** The answer to the request that is being worked on. */
    private final class OneReply implements Reply {
        private final Channel channel;
        private volatile Runnable whenGone = Connection::doNothing;

        /** Whether what the answer waited for has come, so that it is not kept: a client may be idle for hours, and its instance end. */
        private volatile boolean isAnswered;

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
            if (isAnswered) {
                whenGone = Connection::doNothing;
            } else if (!channel.isActive()) {
                task.run();
            }
        }

        private void forgetWait() {
            isAnswered = true;
            whenGone = Connection::doNothing;
        }

        void gone() {
            whenGone.run();
        }

        @Override
        public void send(ByteBuf frame, Runnable whenSent) {
            forgetWait();
            if (channel.eventLoop().isShuttingDown()) {
                frame.release();
                whenSent.run();
                return;
            }
            channel.writeAndFlush(frame).addListener(done -> {
                whenSent.run();
                answered(channel);
            });
        }

        @Override
        public void sendAndClose(ByteBuf frame) {
            forgetWait();
            if (channel.eventLoop().isShuttingDown()) {
                frame.release();
                return;
            }
            shared.rejections().closedAsLogged();
            closeAfter(channel, frame);
        }

        @Override
        public void silence() {
            if (!channel.eventLoop().isShuttingDown()) {
                channel.eventLoop().execute(() -> answered(channel));
            }
        }
    }
}
