package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatDescriptionTest {
    private static final int CRC32 = 1;

    @ParameterizedTest
    @CsvSource({
        "8.0.31,               41",
        "10.11.6-MariaDB-log, 163",
        "5.6.1,                35",
        "8.0.mysql_aurora.3,   41",
        "9-fork,               41",
        "4.2.1-fork,           41",
        "1.0.0,                35",
        "5.5.30-checksums,     35",
        "'',                   35",
    })
    void checksumsAreRecognizedWhateverTheVersionIs(String version, int types) {
        assertThat(FormatDescription.decode(body(version, types, new byte[] {CRC32, 0, 0, 0, 0}))
                        .checksummed())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"5.5.62", "5.5", "''"})
    void aServerBeforeChecksumsStatesNone(String version) {
        assertThat(FormatDescription.decode(body(version, 27, new byte[0])).checksummed())
                .isFalse();
    }

    private static EventBody body(String version, int types, byte[] algorithmAndChecksum) {
        ByteWriter out = new ByteWriter(256);
        out.write(new byte[] {4, 0});
        out.write(Arrays.copyOf(version.getBytes(StandardCharsets.US_ASCII), 50));
        out.write(new byte[] {0, 0, 0, 0, EventHeader.LENGTH});
        byte[] lengths = new byte[types];
        Arrays.fill(lengths, (byte) 8);
        out.write(lengths);
        out.write(algorithmAndChecksum);
        return new EventBody(out.array(), 0, out.size());
    }
}
