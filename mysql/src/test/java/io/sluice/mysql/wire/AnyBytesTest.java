package io.sluice.mysql.wire;

import static io.sluice.mysql.wire.packet.Packets.recorded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.mysql.wire.packet.PacketChannel;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.ResultReader;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a server sends, it ends in a result or an {@link IOException}, and within bounds of memory. */
class AnyBytesTest {
    private static final int LIMIT = 1_000_000;
    private static final int MUTATIONS_PER_SEED = 1_000;
    private static final ConnectOptions OPTIONS = ConnectOptions.of(
                    new ServerAddress("127.0.0.1", 3306), "canal", "secret")
            .withMaximumPacketBytes(LIMIT);
    private static final List<String> RECORDINGS = List.of(
            "login/caching-sha2-full",
            "login/caching-sha2-fast",
            "login/native-after-switch",
            "login/sha256-after-switch",
            "login/locked",
            "login/wrong-password",
            "login/no-password",
            "result/two-rows",
            "result/error",
            "result/ok");

    @FuzzTest(maxDuration = "90s")
    void login(byte[] anything) {
        endsAsDocumented(anything, true);
    }

    @FuzzTest(maxDuration = "90s")
    void result(byte[] anything) {
        endsAsDocumented(anything, false);
    }

    /** Whatever lengths are stated, only what is there is kept. */
    @FuzzTest(maxDuration = "90s")
    void packets(byte[] anything) {
        PacketChannel channel =
                new PacketChannel(new ByteArrayInputStream(anything), OutputStream.nullOutputStream(), LIMIT);
        ByteWriter packet = new ByteWriter(16);
        try {
            while (true) {
                packet.clear();
                channel.receive(packet);
                assertThat(packet.size()).isLessThanOrEqualTo(anything.length);
            }
        } catch (IOException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
        assertThat(packet.array()).hasSizeLessThan(2 * anything.length + (1 << 16));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 5);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void recordedBytesWithFaults(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < MUTATIONS_PER_SEED; i++) {
            String name = RECORDINGS.get(random.nextInt(RECORDINGS.size()));
            endsAsDocumented(withFaults(recorded(name), random), name.startsWith("login"));
        }
    }

    private static byte[] withFaults(byte[] bytes, Random random) {
        byte[] faulty = bytes.clone();
        int faults = 1 + random.nextInt(3);
        for (int i = 0; i < faults; i++) {
            int at = random.nextInt(faulty.length);
            switch (random.nextInt(4)) {
                case 0 -> faulty[at] = (byte) random.nextInt();
                case 1 -> faulty[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> faulty[at] = (byte) (0xFA + random.nextInt(6)); // what marks lengths, NULL, EOF and errors
                default -> faulty = Arrays.copyOf(faulty, at + 1);
            }
        }
        return faulty;
    }

    private static void endsAsDocumented(byte[] bytes, boolean isLogin) {
        InputStream in = new ByteArrayInputStream(bytes);
        PacketChannel channel = new PacketChannel(in, OutputStream.nullOutputStream(), LIMIT);
        try {
            if (isLogin) {
                new Login(channel, OPTIONS, true, () -> {}).run();
            } else {
                channel.send(new byte[] {3});
                new ResultReader(channel, "testing", ResultLimit.SMALL).read(errno -> "");
            }
        } catch (IOException e) {
            assertThat(e.getMessage()).isNotBlank();
        } catch (RuntimeException e) {
            fail("bytes from the server ended in " + e + ": " + HexFormat.of().formatHex(bytes), e);
        }
    }
}
