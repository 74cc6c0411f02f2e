package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.bytes.ByteWriter;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinlogFileTest {
    private static final byte[] MAGIC = {(byte) 0xFE, 'b', 'i', 'n'};

    @TempDir
    private Path folder;

    @Test
    void readsEventsOfPlainAndGzippedFiles() throws IOException {
        byte[] content = content(event(15, 30), event(2, 40), event(16, 27));
        Path plain = Files.write(folder.resolve("binlog.000001"), content);
        Path gzipped = folder.resolve("binlog.000001.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzipped))) {
            out.write(content);
        }

        assertThat(lengths(BinlogFile.open(plain))).containsExactly(30, 40, 27);
        assertThat(lengths(BinlogFile.open(gzipped))).containsExactly(30, 40, 27);
    }

    @Test
    void startsAtAnOffsetAfterTheFormatDescription() throws IOException {
        Path file = Files.write(folder.resolve("b"), content(event(15, 30), event(2, 40), event(16, 27)));

        assertThat(lengths(BinlogFile.open(file, 74, Long.MAX_VALUE))).containsExactly(30, 27);
        assertThat(lengths(BinlogFile.open(file, 4, 74))).containsExactly(30, 40);
    }

    @Test
    void rejectsAnOffsetWithinAnEvent() throws IOException {
        Path file = Files.write(folder.resolve("b"), content(event(15, 30), event(2, 40), event(16, 27)));

        assertThatThrownBy(() -> lengths(BinlogFile.open(file, 70, Long.MAX_VALUE)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no event that starts at 70");
    }

    /** What follows cannot be told from damage. */
    @Test
    void reportsWhereMariaDbsEncryptionBegins() throws IOException {
        int startEncryption = 164;
        Path file = Files.write(
                folder.resolve("b"), content(event(15, 30), event(startEncryption, 36), new byte[] {1, 2, 3}));

        assertThatThrownBy(() -> lengths(BinlogFile.open(file)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("encrypted from offset 34 on")
                .hasMessageContaining("read from the server");
    }

    @Test
    void reportsWhereAFileEndsWithinAnEvent() throws IOException {
        byte[] content = content(event(15, 30), event(2, 40));
        Path file = Files.write(folder.resolve("b"), java.util.Arrays.copyOf(content, content.length - 1));

        assertThatThrownBy(() -> lengths(BinlogFile.open(file)))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("within the event that starts at 34");
    }

    @Test
    void takesNoMemoryForALengthThatTheFileDoesNotFill() throws IOException {
        byte[] event = event(2, 40);
        ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).putInt(9, Integer.MAX_VALUE);
        Path file = Files.write(folder.resolve("b"), content(event));
        ByteWriter out = new ByteWriter(64);

        assertThatThrownBy(() -> BinlogFile.open(file).next(out)).isInstanceOf(EOFException.class);
        assertThat(out.array().length).isLessThan(4 << 20);
    }

    @Test
    void rejectsWhatIsNoBinlog() throws IOException {
        Path file = Files.writeString(folder.resolve("b"), "-- a dump");

        assertThatThrownBy(() -> BinlogFile.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no binlog");
    }

    private static List<Integer> lengths(BinlogFile file) throws IOException {
        try (file) {
            List<Integer> lengths = new ArrayList<>();
            ByteWriter out = new ByteWriter(16);
            for (int length = file.next(out); length >= 0; length = file.next(out)) {
                lengths.add(length);
            }
            assertThat(out.size())
                    .isEqualTo(lengths.stream().mapToInt(Integer::intValue).sum());
            return lengths;
        }
    }

    private static byte[] content(byte[]... events) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(MAGIC);
        for (byte[] event : events) {
            out.writeBytes(event);
        }
        return out.toByteArray();
    }

    private static byte[] event(int code, int length) {
        ByteBuffer event = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        event.putInt(0, 1_700_000_000).put(4, (byte) code).putInt(5, 1).putInt(9, length);
        return event.array();
    }
}
