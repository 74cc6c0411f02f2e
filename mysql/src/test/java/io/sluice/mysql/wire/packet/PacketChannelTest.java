package io.sluice.mysql.wire.packet;

import static io.sluice.mysql.wire.packet.PacketChannel.MAX_PART_BYTES;
import static io.sluice.mysql.wire.packet.Packets.concat;
import static io.sluice.mysql.wire.packet.Packets.inPieces;
import static io.sluice.mysql.wire.packet.Packets.packet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacketChannelTest {
    private static final int LIMIT = 64 * 1024 * 1024;

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final ByteWriter received = new ByteWriter(16);

    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "1, 1",
        "16777214, 1",
        "16777215, 2", // the second one is empty, and says that there is no more
        "16777216, 2",
        "33554430, 3",
        "33554431, 3",
    })
    void splitsWhatItSendsAndJoinsItAgain(int length, int packets) throws IOException {
        byte[] payload = randomBytes(length);

        sender().send(payload);

        assertThat(sent.size()).isEqualTo(length + 4 * packets);
        receiver(inPieces(sent.toByteArray(), 400_000, new Random(length))).receive(received);
        assertThat(received.size()).isEqualTo(length);
        assertThat(received.toByteArray()).isEqualTo(payload);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void receivesTheSamePacketsHoweverTheBytesArrive(long seed) throws IOException {
        Random random = new Random(seed);
        byte[][] payloads = new byte[600][]; // more than the sequence numbers have values
        PacketChannel sender = sender();
        for (int i = 0; i < payloads.length; i++) {
            payloads[i] = randomBytes(random.nextInt(i % 50 == 0 ? 100_000 : 200));
            sender.send(payloads[i]);
        }

        PacketChannel channel = receiver(inPieces(sent.toByteArray(), 5000, random));
        for (int i = 0; i < payloads.length; i++) {
            if (i == 300) {
                channel.growBuffer(50_000);
            }
            channel.receive(received);
            assertThat(received.toByteArray()).isEqualTo(payloads[i]);
        }
        channel.requireNothingBuffered();
    }

    @Test
    void knowsWhetherAWholePacketIsBuffered() throws IOException {
        byte[] bytes = concat(packet(0, new byte[5]), packet(1, new byte[0]), packet(2, new byte[5]));
        PacketChannel channel = receiver(new ByteArrayInputStream(bytes, 0, bytes.length - 1));
        assertThat(channel.hasBuffered()).isFalse();

        channel.receive(received);
        assertThat(channel.hasBuffered()).isTrue();

        channel.receive(received);
        assertThat(channel.hasBuffered()).isFalse();
    }

    @Test
    void takesTheWholePacketForUnbufferedIfAnotherContinuesIt() throws IOException {
        byte[] bytes = concat(packet(0, new byte[1]), packet(1, new byte[MAX_PART_BYTES]));
        PacketChannel channel = receiver(new ByteArrayInputStream(bytes));
        channel.growBuffer(MAX_PART_BYTES + 100);

        channel.receive(received);

        assertThat(channel.hasBuffered()).isFalse();
    }

    @Test
    void rejectsAPacketOutOfSequence() {
        byte[] bytes = concat(packet(0, new byte[1]), packet(2, new byte[1]));
        PacketChannel channel = receiver(new ByteArrayInputStream(bytes));

        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> {
                    channel.receive(received);
                    channel.receive(received);
                })
                .withMessage("packet has sequence number 2, expected 1");
    }

    /** As MySQL sends it before it closes a session that was idle: error 4031. */
    @Test
    void showsWithWhichErrorTheServerHasEndedTheSession() throws Exception {
        byte[] farewell = concat(
                new byte[] {(byte) 0xFF, (byte) 0xBF, 0x0F},
                "#HY000The client was disconnected".getBytes(StandardCharsets.US_ASCII));
        PacketChannel channel = receiver(new ByteArrayInputStream(packet(0, farewell)));
        channel.send(new byte[] {3});

        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> channel.receive(received))
                .withMessage("server closed the connection: server error 4031 (HY000): The client was disconnected");
    }

    @Test
    void rejectsAnotherPacketOutOfSequenceInPlaceOfAnAnswer() throws Exception {
        for (byte[] payload : List.of(new byte[0], new byte[] {0, 1}, new byte[] {(byte) 0xFF})) {
            PacketChannel channel = receiver(new ByteArrayInputStream(packet(0, payload)));
            channel.send(new byte[] {3});

            assertThatExceptionOfType(MalformedPacketException.class).isThrownBy(() -> channel.receive(received));
        }
    }

    @Test
    void rejectsMoreThanTheLimitBeforeItReadsIt() {
        PacketChannel channel = receiver(new ByteArrayInputStream(packet(0, new byte[101])));
        channel.limitTo(100);

        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> channel.receive(received))
                .withMessageContaining("exceeds the limit of 100 bytes");
    }

    @Test
    void rejectsMoreThanTheLimitInSeveralPackets() {
        byte[] bytes = concat(packet(0, new byte[MAX_PART_BYTES]), packet(1, new byte[2]));
        PacketChannel channel = receiver(new ByteArrayInputStream(bytes));
        channel.limitTo(MAX_PART_BYTES + 1);

        assertThatExceptionOfType(MalformedPacketException.class).isThrownBy(() -> channel.receive(received));
    }

    @Test
    void takesNoMemoryForBytesThatNeverCome() {
        byte[] cutShort = new byte[1000];
        System.arraycopy(packet(0, new byte[MAX_PART_BYTES]), 0, cutShort, 0, cutShort.length);
        PacketChannel channel = receiver(new ByteArrayInputStream(cutShort));

        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> channel.receive(received))
                .withMessage("server closed the connection within a packet");
        assertThat(received.array().length).isLessThan(100_000);
    }

    @Test
    void rejectsPlainBytesThatWouldBeTakenForEncryptedOnes() {
        byte[] bytes = concat(packet(0, new byte[1]), packet(1, new byte[1]));
        PacketChannel channel = receiver(new ByteArrayInputStream(bytes));

        assertThatExceptionOfType(MalformedPacketException.class).isThrownBy(() -> {
            channel.receive(received);
            channel.switchTo(InputStream.nullInputStream(), sent);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {200_000, 16_777_215, 33_554_430, 33_554_431})
    void givesALargePayloadInPieces(int length) throws IOException {
        byte[] payload = randomBytes(length);
        sender().send(payload);
        PacketChannel channel = receiver(inPieces(sent.toByteArray(), 400_000, new Random(length)));

        int part = channel.receiveHeader();
        received.writeByte(channel.receiveByte()); // as that before each event
        channel.receiveFirst(part, part - 1, 1000, received);
        byte[] some = new byte[100_000];
        for (int count = 0; count >= 0; count = channel.receiveSome(some, 0, some.length)) {
            received.write(some, 0, count);
        }

        assertThat(channel.hasRest()).isFalse();
        assertThat(received.size()).isEqualTo(length);
        assertThat(received.toByteArray()).isEqualTo(payload);
    }

    @ParameterizedTest
    @ValueSource(ints = {200_000, 16_777_215, 33_554_430, 33_554_431})
    void aLargePayloadHasNoRestAfterItsLastByte(int length) throws IOException {
        PacketChannel sender = sender();
        sender.send(randomBytes(length));
        sender.send(new byte[] {1, 2, 3});
        PacketChannel channel = receiver(inPieces(sent.toByteArray(), 400_000, new Random(length)));

        int part = channel.receiveHeader();
        channel.receiveFirst(part, part, 1000, received);
        byte[] some = new byte[100_000];
        for (int left = length - 1000; left > 0; ) {
            assertThat(channel.hasRest()).isTrue();
            left -= channel.receiveSome(some, 0, Math.min(left, some.length));
        }

        assertThat(channel.hasRest()).isFalse();
        channel.receive(received);
        assertThat(received.toByteArray()).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {200_000, 16_777_215, 33_554_431})
    void passesOverWhatIsNotReadOfALargePayload(int length) throws IOException {
        PacketChannel sender = sender();
        sender.send(randomBytes(length));
        sender.send(new byte[] {1, 2, 3});
        PacketChannel channel = receiver(inPieces(sent.toByteArray(), 400_000, new Random(length)));
        int part = channel.receiveHeader();
        channel.receiveFirst(part, part, 1000, received);
        assertThat(channel.receiveSome(new byte[500], 0, 500)).isPositive();

        channel.passRest();

        channel.receive(received);
        assertThat(received.toByteArray()).containsExactly(1, 2, 3);
    }

    private PacketChannel sender() {
        return new PacketChannel(InputStream.nullInputStream(), sent, LIMIT);
    }

    private static PacketChannel receiver(InputStream in) {
        return new PacketChannel(in, OutputStream.nullOutputStream(), LIMIT);
    }

    private static byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
