package io.sluice.admin.canal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.sluice.admin.problem.FailureKind;
import io.sluice.protocol.admin.Ack;
import io.sluice.protocol.admin.ClientAuth;
import io.sluice.protocol.admin.Handshake;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.admin.PacketType;
import io.sluice.protocol.wire.Scramble;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The requests of one connection: waits for the greeting, logs in, and asks one thing after the other. All is done by the channel's event
 * loop.
 */
final class ManagementDialog extends SimpleChannelInboundHandler<ByteBuf> {
    private static final int TIMEOUT_MILLIS = 3_600_000;
    private static final int UNAUTHORIZED = 300;
    private static final int LONGEST_MESSAGE = 300;

    private final CanalProperties properties;
    private final Iterator<ManagementRequest> requests;
    private final CompletableFuture<List<String>> result;
    private final List<String> answers = new ArrayList<>();
    private boolean isGreeted;
    private boolean isLoggedIn;

    ManagementDialog(
            CanalProperties properties, List<ManagementRequest> requests, CompletableFuture<List<String>> result) {
        this.properties = properties;
        this.requests = requests.iterator();
        this.result = result;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        if (result.isDone()) {
            return;
        }
        try {
            Packet packet = Packet.parseFrom(ByteBufUtil.getBytes(frame));
            if (isGreeted) {
                answer(context, packet);
            } else {
                greeting(context, packet);
            }
        } catch (InvalidProtocolBufferException e) {
            fail(FailureKind.UNREACHABLE, "it is no management port of canal: it sends something else. Check the port");
        }
    }

    private void greeting(ChannelHandlerContext context, Packet packet) throws InvalidProtocolBufferException {
        byte[] seed = Handshake.parseFrom(packet.getBody()).getSeeds().toByteArray();
        if (packet.getType() != PacketType.HANDSHAKE || seed.length != Scramble.SEED_BYTES) {
            fail(
                    FailureKind.UNREACHABLE,
                    "it is no management port of canal: it greets with something else. Check the port");
            return;
        }
        isGreeted = true;
        ClientAuth login = ClientAuth.newBuilder()
                .setUsername(properties.canalUser())
                .setPassword(ByteString.copyFromUtf8(Scramble.token(properties.password(), seed)))
                .setNetReadTimeout(TIMEOUT_MILLIS)
                .setNetWriteTimeout(TIMEOUT_MILLIS)
                .build();
        send(
                context,
                Packet.newBuilder()
                        .setVersion(1)
                        .setType(PacketType.CLIENTAUTHENTICATION)
                        .setBody(login.toByteString())
                        .build()
                        .toByteArray());
    }

    private void answer(ChannelHandlerContext context, Packet packet) throws InvalidProtocolBufferException {
        if (packet.getType() != PacketType.ACK) {
            fail(
                    FailureKind.UNREACHABLE,
                    "it is no management port of canal: it answers with something else. Check the port");
            return;
        }
        Ack ack = Ack.parseFrom(packet.getBody());
        if (!isLoggedIn) {
            if (ack.getCode() != 0) {
                fail(
                        FailureKind.UNAUTHORIZED,
                        "it rejected the login of %s: set sluice.admin.canal-user and sluice.admin.canal-password to what its canal.admin.user and canal.admin.passwd are made of"
                                .formatted(properties.canalUser()));
                return;
            }
            isLoggedIn = true;
        } else if (ack.getCode() != 0) {
            fail(
                    ack.getCode() == UNAUTHORIZED ? FailureKind.UNAUTHORIZED : FailureKind.REJECTED,
                    "it answers with the error %d: %s".formatted(ack.getCode(), shown(ack.getMessage())));
            return;
        } else {
            answers.add(ack.getMessage());
        }
        if (requests.hasNext()) {
            send(context, requests.next().packet());
        } else {
            result.complete(List.copyOf(answers));
        }
    }

    /** The first line, which is the message before the stack trace of canal. */
    private static String shown(String message) {
        String line = message.lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", " ");
        return line.length() > LONGEST_MESSAGE ? line.substring(0, LONGEST_MESSAGE) + "…" : line;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what fails to be written closes the channel
    private static void send(ChannelHandlerContext context, byte[] packet) {
        context.writeAndFlush(Unpooled.wrappedBuffer(packet));
    }

    private void fail(FailureKind kind, String message) {
        result.completeExceptionally(new ManagementFailure(kind, message));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        fail(
                FailureKind.UNREACHABLE,
                isGreeted
                        ? "the management port has closed the connection"
                        : "the management port has closed the connection without a greeting: does it expect TLS, or is it another port?");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(FailureKind.UNREACHABLE, "the connection to the management port has failed: check the port");
    }
}
