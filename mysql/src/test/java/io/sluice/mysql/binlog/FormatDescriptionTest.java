package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
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

    /** The first file after a start states when it was created; those that follow state nothing. */
    @Test
    void theTimeOfItsCreationTellsThatTheServerWasStarted() {
        EventBody started = body("8.0.31", 41, new byte[] {CRC32, 0, 0, 0, 0});
        started.array()[52] = 1;

        assertThat(FormatDescription.decode(started).startsServer()).isTrue();
        assertThat(FormatDescription.decode(body("8.0.31", 41, new byte[] {CRC32, 0, 0, 0, 0}))
                        .startsServer())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "5.7.44,               true,  false, false",
        "8.0.0,                false, false, false",
        "8.0.28,               false, false, false",
        "8.0.29,               false, false, true",
        "8.4.3,                false, false, true",
        "10.11.6-MariaDB-log,  true,  false, true",
        "11.7.2-MariaDB,       true,  false, true",
        "11.8.0-MariaDB,       true,  true,  true",
        "11.8.3-MariaDB-log,   true,  true,  true",
        "12.0.2-MariaDB,       true,  true,  true",
        "8.0.mysql_aurora.3,   true,  false, false", // not known, so as old ones
        "'',                   false, false, false",
    })
    void theVersionTellsWhatTheServerWrites(
            String version, boolean mayLogRolledBack, boolean leavesGeneratedOut, boolean yearsHaveSignedness) {
        FormatDescription format = new FormatDescription(version, true, 6, false);

        assertThat(format.mayLogRolledBack()).isEqualTo(mayLogRolledBack);
        assertThat(format.leavesGeneratedOut()).isEqualTo(leavesGeneratedOut);
        assertThat(format.yearsHaveSignedness()).isEqualTo(yearsHaveSignedness);
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
