package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableMapTest {
    private static final int DEFAULT_CHARSET = 2;
    private static final int COLUMN_CHARSET = 3;

    /** MySQL leaves the ids from 1024 to 2047 to collations that users define; those of MariaDB are of collations without padding. */
    @ParameterizedTest
    @CsvSource({
        "8.0.31, 255, 255",
        "8.0.31, 1029, 1029",
        "10.11.6-MariaDB-log, 45, 45",
        "10.11.6-MariaDB-log, 1070, 46",
        "11.4.2-MariaDB, 2304, 2304",
    })
    void collationsFollowTheIdsOfTheServer(String version, int written, int read) {
        FormatDescription format = new FormatDescription(version, false, 6, false);

        assertThat(TableMap.decode(tableMap(DEFAULT_CHARSET, written), format).collations())
                .containsExactly(read);
        assertThat(TableMap.decode(tableMap(COLUMN_CHARSET, written), format).collations())
                .containsExactly(read);
    }

    /** Of a table with one {@code VARCHAR(64)}. */
    private static EventBody tableMap(int field, int collation) {
        ByteWriter out = new ByteWriter(64);
        out.write(new byte[] {1, 0, 0, 0, 0, 0, 1, 0});
        text(out, "s");
        text(out, "t");
        out.write(new byte[] {1, (byte) ColumnCode.VARCHAR, 2, 0, 1, 1});
        out.write(new byte[] {(byte) field, 3, (byte) 0xFC, (byte) collation, (byte) (collation >> 8)});
        return new EventBody(out.array(), 0, out.size());
    }

    private static void text(ByteWriter out, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        out.write(new byte[] {(byte) bytes.length});
        out.write(bytes);
        out.write(new byte[] {0});
    }
}
