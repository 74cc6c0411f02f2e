package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.protocol.admin.Ack;
import io.sluice.protocol.admin.ClientAuth;
import io.sluice.protocol.admin.Handshake;
import io.sluice.protocol.admin.InstanceAdmin;
import io.sluice.protocol.admin.LogAdmin;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.admin.PacketType;
import io.sluice.protocol.admin.ServerAdmin;
import io.sluice.protocol.time.Time;
import io.sluice.protocol.wire.Scramble;
import io.sluice.server.config.text.Secret;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.server.port.Admission;
import io.sluice.server.port.FrameDecoder;
import io.sluice.server.port.HeldPackets;
import io.sluice.server.port.LoginCheck;
import io.sluice.server.port.LoginDelay;
import io.sluice.server.port.RejectionLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Whatever a client sends, it is answered by packets, or its connection is closed, and nothing is thrown. */
class AdminFuzzTest {
    private static final String PASSWORD = "of the operator's own";
    private static final List<Integer> CODES = List.of(0, 300, 301, 400);

    private final ScriptedOperations operations = new ScriptedOperations("one", "two");

    @FuzzTest(maxDuration = "60s")
    void bytesBeforeTheLoginReachNothing(byte[] anything) throws Exception {
        EmbeddedChannel channel = open();
        readHandshake(channel);
        feed(channel, anything);
        // Without the password there is one answer at most, and it says no.
        List<Ack> acks = acks(channel);
        assertThat(acks).hasSizeLessThanOrEqualTo(1).allMatch(ack -> ack.getCode() == 300);
        assertThat(acks.isEmpty() || !channel.isActive()).isTrue();
        assertThat(operations.calls).isEmpty();
        channel.finishAndReleaseAll();
    }

    @FuzzTest(maxDuration = "60s")
    void requestsOfAClientAreAnsweredByAPacketEach(byte[] anything) throws Exception {
        EmbeddedChannel channel = logIn();
        feed(channel, frame(anything));
        assertAnswered(channel);
        channel.finishAndReleaseAll();
    }

    /** With the bytes as each of the texts that there are in requests. */
    @FuzzTest(maxDuration = "60s")
    void textsInRequestsAreAnsweredByAPacketEach(byte[] anything) throws Exception {
        String text = new String(anything, StandardCharsets.UTF_8);
        EmbeddedChannel channel = logIn();
        List<Packet> requests = List.of(
                packet(
                        PacketType.SERVER,
                        ServerAdmin.newBuilder().setAction(text).build().toByteString()),
                packet(
                        PacketType.INSTANCE,
                        InstanceAdmin.newBuilder()
                                .setDestination(text)
                                .setAction("stop")
                                .build()
                                .toByteString()),
                packet(
                        PacketType.LOG,
                        LogAdmin.newBuilder()
                                .setType("instance")
                                .setDestination(text)
                                .setFile(text)
                                .setCount(anything.length)
                                .build()
                                .toByteString()),
                packet(
                        PacketType.LOG,
                        LogAdmin.newBuilder()
                                .setType("server")
                                .setAction("file")
                                .setFile(text)
                                .setCount(1)
                                .build()
                                .toByteString()));
        for (Packet request : requests) {
            feed(channel, frame(request.toByteArray()));
            assertAnswered(channel);
        }
        channel.finishAndReleaseAll();
    }

    /** The fuzzer's corpus may be small where it is only replayed; these are new each time. */
    @Test
    void randomBytesAffectNothing() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            if (bytes.length > 4 && random.nextBoolean()) {
                System.arraycopy(new byte[] {0, 0, 0, (byte) (bytes.length - 4)}, 0, bytes, 0, 4);
            }
            try {
                bytesBeforeTheLoginReachNothing(bytes);
                requestsOfAClientAreAnsweredByAPacketEach(bytes);
                textsInRequestsAreAnsweredByAPacketEach(bytes);
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed + " run " + i, e);
            }
        }
    }

    private EmbeddedChannel open() {
        return open(operations, Runnable::run);
    }

    /** A connection that has not logged in. */
    private static EmbeddedChannel open(ScriptedOperations operations, Executor workers) {
        AuditLog audit = new AuditLog(Time.SYSTEM);
        LogFiles logs = new LogFiles(Path.of("target", "no-logs-here"));
        AdminContext shared = new AdminContext(
                Limits.STANDARD,
                false,
                new LoginCheck("", new Secret(Scramble.stored(PASSWORD))),
                LoginDelay.ofPasswords("canal.admin.port", Time.SYSTEM),
                new Logins(audit, Time.SYSTEM),
                new Admission(10, 10),
                new RejectionLog(Time.SYSTEM),
                new Requests(operations, new Changes(operations, audit, Runnable::run), logs),
                workers,
                new SecureRandom());
        EmbeddedChannel channel = new EmbeddedChannel(false, true);
        shared.admission().add(channel);
        FrameDecoder frames = new FrameDecoder(
                8192, HeldPackets.forRequestsOf(8192, shared.rejections()).connection(channel));
        channel.pipeline().addLast(frames, new AdminConnection(shared, frames));
        try {
            channel.register();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return channel;
    }

    private EmbeddedChannel logIn() throws Exception {
        return logIn(operations, Runnable::run);
    }

    /**
     * A connection that has logged in.
     *
     * @param workers run the requests
     */
    static EmbeddedChannel logIn(ScriptedOperations operations, Executor workers) throws Exception {
        EmbeddedChannel channel = open(operations, workers);
        byte[] seed = readHandshake(channel);
        feed(
                channel,
                frame(packet(
                                PacketType.CLIENTAUTHENTICATION,
                                ClientAuth.newBuilder()
                                        .setPassword(ByteString.copyFromUtf8(Scramble.token(PASSWORD, seed)))
                                        .build()
                                        .toByteString())
                        .toByteArray()));
        assertThat(acks(channel)).singleElement().matches(ack -> ack.getCode() == 0);
        return channel;
    }

    static Packet packet(PacketType type, ByteString body) {
        return Packet.newBuilder().setType(type).setBody(body).build();
    }

    static byte[] frame(byte[] packet) {
        byte[] frame = new byte[4 + packet.length];
        ByteBuffer.wrap(frame).putInt(packet.length).put(packet);
        return frame;
    }

    static void feed(EmbeddedChannel channel, byte[] bytes) {
        if (channel.isActive()) {
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));
            channel.runPendingTasks();
        }
        channel.checkException();
    }

    private static byte[] readHandshake(EmbeddedChannel channel) throws Exception {
        Packet packet = read(channel);
        assertThat(packet.getType()).isEqualTo(PacketType.HANDSHAKE);
        return Handshake.parseFrom(packet.getBody()).getSeeds().toByteArray();
    }

    private static Packet read(EmbeddedChannel channel) throws Exception {
        ByteBuf sent = channel.readOutbound();
        byte[] packet = new byte[sent.readInt()];
        assertThat(sent.readableBytes()).isEqualTo(packet.length);
        sent.readBytes(packet);
        sent.release();
        return Packet.parseFrom(packet);
    }

    static List<Ack> acks(EmbeddedChannel channel) throws Exception {
        List<Ack> acks = new ArrayList<>();
        while (!channel.outboundMessages().isEmpty()) {
            Packet packet = read(channel);
            assertThat(packet.getType()).isEqualTo(PacketType.ACK);
            acks.add(Ack.parseFrom(packet.getBody()));
        }
        return acks;
    }

    /** A request is answered unless the connection is closed for it. */
    private static void assertAnswered(EmbeddedChannel channel) throws Exception {
        List<Ack> acks = acks(channel);
        assertThat(acks).hasSizeLessThanOrEqualTo(1);
        assertThat(acks.size() == 1 || !channel.isActive()).isTrue();
        for (Ack ack : acks) {
            assertThat(CODES).contains(ack.getCode());
            assertThat(ack.getMessage()).doesNotContain("\tat ", "Exception");
        }
    }
}
