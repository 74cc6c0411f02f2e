package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.bytes.ByteWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class EventRemainderTest {
    private static final int FIRST = 100;

    private final byte[] event = event(1_000);

    @Test
    void givesWhatIsAfterTheFirstBytesWithoutTheChecksum() throws IOException {
        byte[] rest = readAll(rest(event, event.length));

        assertThat(rest).isEqualTo(Arrays.copyOfRange(event, FIRST, event.length - 4));
    }

    /** Whoever reads the last bytes knows that all of them were sound. */
    @Test
    void checksBeforeItGivesTheLastBytes() {
        event[FIRST + 3] ^= 1;
        byte[] to = new byte[event.length];
        int[] got = {0};

        assertThatThrownBy(() -> {
                    EventRemainder rest = rest(event, event.length);
                    for (int count = 0; count >= 0; count = rest.read(to, 0, 50)) {
                        got[0] += count;
                    }
                })
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("checksum");
        assertThat(got[0]).isLessThan(event.length - FIRST - 4);
    }

    @Test
    void doesNotTakeMoreOrLessThanTheHeaderStates() {
        assertThatThrownBy(() -> readAll(rest(Arrays.copyOf(event, event.length - 50), event.length)))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("before the end that its header states");
        assertThatThrownBy(() -> readAll(rest(Arrays.copyOf(event, event.length + 1), event.length)))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("after the end that its header states");
    }

    private static EventRemainder rest(byte[] sent, int stated) {
        return new EventRemainder(new Pieces(sent), Arrays.copyOf(sent, FIRST), stated, true);
    }

    private static byte[] readAll(EventRemainder rest) throws IOException {
        ByteWriter all = new ByteWriter(64);
        byte[] some = new byte[77];
        for (int count = 0; count >= 0; count = rest.read(some, 0, some.length)) {
            all.write(some, 0, count);
        }
        return all.toByteArray();
    }

    private static byte[] event(int length) {
        byte[] event = new byte[length];
        new Random(1).nextBytes(event);
        CRC32 crc = new CRC32();
        crc.update(event, 0, length - 4);
        ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).putInt(length - 4, (int) crc.getValue());
        return event;
    }

    /** The bytes after the first ones. */
    private static final class Pieces implements EventSource {
        private final ByteArrayInputStream in;

        Pieces(byte[] sent) {
            this.in = new ByteArrayInputStream(sent, FIRST, sent.length - FIRST);
        }

        @Override
        public int next(ByteWriter out) {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public boolean hasRest() {
            return in.available() > 0;
        }

        @Override
        public int rest(byte[] to, int at, int most) {
            return in.read(to, at, most);
        }

        @Override
        public boolean hasBuffered() {
            return false;
        }

        @Override
        public void close() {}
    }
}
