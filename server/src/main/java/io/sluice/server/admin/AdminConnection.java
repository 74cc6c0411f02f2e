package io.sluice.server.admin;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.channel.Channel;
import io.sluice.protocol.admin.ClientAuth;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.wire.AdminPackets;
import io.sluice.protocol.wire.Rejection;
import io.sluice.server.port.FrameDecoder;
import io.sluice.server.port.Frames;
import io.sluice.server.port.PacketConversation;
import io.sluice.server.port.PrintableInput;
import io.sluice.server.port.SilenceGuard;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The conversation with one client of the management port. After a failed login there is one answer, and nothing else is answered. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
final class AdminConnection extends PacketConversation<Packet> {
    private final AdminContext shared;

    private @Nullable Session session;

    AdminConnection(AdminContext shared, FrameDecoder frames) {
        super(
                new Terms(
                        shared.isEncrypted(),
                        shared.limits().handshakeTimeout(),
                        shared.limits().writeTimeout(),
                        shared.rejections(),
                        shared.workers(),
                        shared.random()),
                frames,
                Packet.parser());
        this.shared = shared;
    }

    @Override
    protected byte[] greeting(byte[] sentSeed) {
        return AdminPackets.handshake(sentSeed);
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
        Session by = new Session(client.getUsername(), text(channel.remoteAddress()));
        InetAddress address = address(channel);
        Duration wait = shared.loginDelay().waitOf(address);
        if (!wait.isZero()) {
            reject(
                    channel,
                    by,
                    "too many failed logins from this address, the next one is checked in %d s"
                            .formatted(wait.toSeconds() + 1));
            return;
        }
        if (!shared.login().accepts(client.getUsername(), client.getPassword(), sentSeed)) {
            shared.loginDelay().failed(address);
            reject(channel, by, Rejection.authFailed(PrintableInput.text(client.getUsername())));
            return;
        }
        shared.loginDelay().succeeded(address);
        if (!shared.admission().authenticated(channel)) {
            return; // it is being closed
        }
        shared.logins().succeeded(by);
        session = by;
        Duration longest = shared.limits().idleTimeout();
        loggedIn(
                channel,
                SilenceGuard.granted(client.getNetReadTimeout(), longest),
                SilenceGuard.granted(client.getNetWriteTimeout(), longest));
        send(channel, Answer.of(""));
    }

    @Override
    protected void request(Channel channel, Packet packet) {
        Session by = Objects.requireNonNull(session, "requests come after the login");
        work(channel, () -> send(channel, shared.requests().answer(packet, by)));
    }

    /** Sends an answer, and takes the next packet when it has left. By any thread. */
    private void send(Channel channel, Answer answer) {
        if (channel.eventLoop().isShuttingDown()) {
            return;
        }
        channel.writeAndFlush(Frames.of(AdminPackets.answer(answer.code(), answer.message())))
                .addListener(done -> answered(channel));
    }

    /** Answers a login by an error, and closes. */
    private void reject(Channel channel, Session by, String why) {
        dropPackets();
        shared.logins().failed(by, address(channel), why);
        shared.rejections().closed(channel.remoteAddress(), why);
        closeAfter(channel, Frames.of(AdminPackets.answer(Answer.UNAUTHORIZED, why)));
    }

    private static String text(@Nullable SocketAddress remote) {
        return remote instanceof InetSocketAddress inet
                ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
                : String.valueOf(remote);
    }
}
