package io.sluice.server.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import io.sluice.protocol.time.Time;
import io.sluice.schema.filter.TableFilter;
import io.sluice.server.config.instance.StoreConfig;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.port.Admission;
import io.sluice.server.port.FrameDecoder;
import io.sluice.server.port.HeldPackets;
import io.sluice.server.port.LoginCheck;
import io.sluice.server.port.RejectionLog;
import io.sluice.server.pull.BatchNumbers;
import io.sluice.server.pull.ClientFilters;
import io.sluice.server.pull.PullClients;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.ring.BatchMode;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** Whatever a client sends, it is answered by packets, or its connection is closed, and nothing is thrown. */
class ConnectionFuzzTest {
    private static final RingConfig RING = new RingConfig(16, 1024, false);
    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "fuzz-timer");
        thread.setDaemon(true);
        return thread;
    });

    @FuzzTest(maxDuration = "60s")
    void bytesBeforeTheLoginAffectNoOtherClient(byte[] anything) throws Exception {
        EmbeddedChannel channel = open();
        drain(channel, 1);
        feed(channel, anything);
        // A client gets one answer to its login, and then, if that succeeded, one to each request of two bytes at
        // least.
        drain(channel, 2 + anything.length);
        channel.finishAndReleaseAll();
    }

    @FuzzTest(maxDuration = "60s")
    void requestsOfAClientAffectNoOtherClient(byte[] anything) throws Exception {
        EmbeddedChannel channel = open();
        feed(
                channel,
                frame(Packet.newBuilder()
                        .setType(PacketType.CLIENTAUTHENTICATION)
                        .setBody(ClientAuth.getDefaultInstance().toByteString())
                        .build()
                        .toByteArray()));
        drain(channel, 2);
        assertThat(channel.isActive()).isTrue();
        feed(channel, frame(anything));
        drain(channel, 1);
        channel.finishAndReleaseAll();
    }

    /** The fuzzer's corpus may be small where it is only replayed; these are new each time. */
    @Test
    void randomBytesAffectNoOtherClient() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            if (bytes.length > 4 && random.nextBoolean()) {
                System.arraycopy(new byte[] {0, 0, 0, (byte) (bytes.length - 4)}, 0, bytes, 0, 4);
            }
            try {
                bytesBeforeTheLoginAffectNoOtherClient(bytes);
                requestsOfAClientAffectNoOtherClient(bytes);
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed + " run " + i, e);
            }
        }
    }

    private static EmbeddedChannel open() {
        return open(Runnable::run);
    }

    /** A connection that has not logged in; the workers run what it is asked for. */
    static EmbeddedChannel open(Executor workers) {
        TcpConfig config = OneDestination.config("", "", OneDestination.LIMITS);
        EntryRing store = new EntryRing(RING);
        CursorStore cursors = new MemoryCursorStore();
        ClientFilters filters = new ClientFilters("example", new TableFilter("", ""), cursors);
        PullClients clients = new PullClients(
                "example", store, cursors, Runnable::run, TIMER, filters, new BatchNumbers(), 100, () -> true);
        Destination destination =
                new Destination(clients, new StoreConfig(RING, BatchMode.MEMSIZE, true), damage -> {});
        TcpContext shared = new TcpContext(
                config,
                new LoginCheck(config.user(), config.storedPassword()),
                LateAnswers.standard(Time.SYSTEM),
                new Admission(10, 10),
                new RejectionLog(Time.SYSTEM),
                new ClientCounts(),
                new SubscriptionLog(Time.SYSTEM),
                name -> name.equals("example") ? destination : null,
                workers,
                new SecureRandom(),
                Time.SYSTEM);
        EmbeddedChannel channel = new EmbeddedChannel(false, true);
        FrameDecoder frames = new FrameDecoder(
                8192, HeldPackets.forRequestsOf(8192, shared.rejections()).connection(channel));
        shared.admission().add(channel);
        channel.pipeline().addLast(frames, new Connection(shared, frames));
        try {
            channel.register();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return channel;
    }

    static byte[] frame(byte[] packet) {
        byte[] frame = new byte[4 + packet.length];
        ByteBuffer.wrap(frame).putInt(packet.length).put(packet);
        return frame;
    }

    private static void feed(EmbeddedChannel channel, byte[] bytes) {
        if (channel.isActive()) {
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));
            channel.runPendingTasks();
        }
        channel.checkException();
    }

    /** The answers are packets, and not more of them than there can be. */
    private static void drain(EmbeddedChannel channel, int atMost) throws Exception {
        int count = 0;
        for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
            byte[] packet = new byte[sent.readInt()];
            assertThat(sent.readableBytes()).isEqualTo(packet.length);
            sent.readBytes(packet);
            sent.release();
            Packet read = Packet.parseFrom(packet);
            assertThat(read.getType()).isIn(PacketType.HANDSHAKE, PacketType.ACK, PacketType.MESSAGES);
            count++;
        }
        assertThat(count).isLessThanOrEqualTo(atMost);
    }
}
