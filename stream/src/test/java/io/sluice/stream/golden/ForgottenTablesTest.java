package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.BinlogFile;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No rows need a table map of an earlier statement, so tables may be forgotten between statements. */
class ForgottenTablesTest {
    /** In place of a table id, in a rows event that only ends a statement. */
    private static final long DUMMY_TABLE_ID = 0xFF_FFFF;

    static Stream<GoldenCase> cases() throws Exception {
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            groups.add("%02d".formatted(i));
        }
        return GoldenCase.all(
                        List.of(
                                "mysql-5.7.22",
                                "mysql-8.0.15",
                                "mysql-8.0.31",
                                "mysql-9.7",
                                "mariadb-10.11",
                                "mariadb-11.8"),
                        groups)
                .stream()
                .filter(golden -> !golden.name().endsWith("-fails"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void deliversTheSameWithACacheForNoTable(GoldenCase golden) throws Exception {
        Properties properties = golden.settings();
        properties.setProperty(GoldenSettings.MAPPING_BYTES, "0");
        GoldenSettings small = new GoldenSettings(properties);
        GoldenSettings usual = new GoldenSettings(golden.settings());

        assertThat(texts(GoldenRun.flat(GoldenRun.entries(golden, small, false))))
                .isEqualTo(texts(GoldenRun.flat(GoldenRun.entries(golden, usual, false))));
        assertThat(texts(GoldenRun.raw(GoldenRun.entries(golden, small, true))))
                .isEqualTo(texts(GoldenRun.raw(GoldenRun.entries(golden, usual, true))));
    }

    /** Compressed transactions aside, whose events are those of a transaction that is not. */
    @ParameterizedTest
    @MethodSource("cases")
    void serversMapAllTablesOfAStatementAndEndItWithAFlag(GoldenCase golden) throws Exception {
        for (String file : golden.binlogs()) {
            try (BinlogFile source = BinlogFile.open(golden.binlog(file))) {
                requireStatements(source, golden + " " + file);
            }
        }
    }

    private static void requireStatements(BinlogFile source, String what) throws IOException {
        FormatDescription format = FormatDescription.UNKNOWN;
        Set<Long> mapped = new HashSet<>();
        ByteWriter event = new ByteWriter(1 << 12);
        for (int length = source.next(event); length >= 0; length = source.next(event)) {
            EventHeader header = EventHeader.read(event.array(), 0, length);
            EventBody body = new EventBody(event.array(), EventHeader.LENGTH, length);
            int code = header.code();
            if (code == EventCode.FORMAT_DESCRIPTION) {
                format = FormatDescription.decode(body);
            } else if (code == EventCode.TABLE_MAP) {
                mapped.add(TableMap.readTableId(body, format));
            } else if (isRows(code)) {
                long id = TableMap.readTableId(body, format);
                assertThat(id == DUMMY_TABLE_ID || mapped.contains(id))
                        .as(
                                "%s: the rows event that ends at %d is of a table that its statement has mapped",
                                what, header.nextOffset())
                        .isTrue();
                if ((body.readShort() & 1) != 0) {
                    mapped.clear();
                }
            } else if (code == EventCode.XID || code == EventCode.QUERY || code == EventCode.GTID) {
                assertThat(mapped)
                        .as("%s: the statement before the event that ends at %d has an end", what, header.nextOffset())
                        .isEmpty();
            }
            event.clear();
        }
    }

    private static boolean isRows(int code) {
        return switch (code) {
            case EventCode.WRITE_ROWS_V1,
                    EventCode.WRITE_ROWS_V2,
                    EventCode.UPDATE_ROWS_V1,
                    EventCode.UPDATE_ROWS_V2,
                    EventCode.DELETE_ROWS_V1,
                    EventCode.DELETE_ROWS_V2,
                    EventCode.PARTIAL_UPDATE_ROWS,
                    EventCode.MARIADB_WRITE_ROWS_COMPRESSED,
                    EventCode.MARIADB_UPDATE_ROWS_COMPRESSED,
                    EventCode.MARIADB_DELETE_ROWS_COMPRESSED,
                    EventCode.MARIADB_WRITE_ROWS_COMPRESSED_V1,
                    EventCode.MARIADB_UPDATE_ROWS_COMPRESSED_V1,
                    EventCode.MARIADB_DELETE_ROWS_COMPRESSED_V1 -> true;
            default -> false;
        };
    }

    private static List<String> texts(List<byte[]> messages) {
        return messages.stream()
                .map(message -> new String(message, StandardCharsets.ISO_8859_1))
                .toList();
    }
}
