package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.LogFile;
import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.MappedTable;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import io.sluice.stream.event.Event;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.PartialImagePolicy.Reported;
import io.sluice.testkit.log.LogLines;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartialImageReportTest {

    @AutoClose
    private final LogLines log = LogLines.of(PartialImageReport.class);

    private final Event event = new Event(new LogFile(SourceServer.at("localhost", 3306), "binlog.000001"));

    /** Nine columns, of which the first and the last are the key; the bits of each image from the lowest on. */
    @ParameterizedTest
    @CsvSource({
        "INSERT, ff01, , false, false, false",
        "INSERT, 0101, , false, false, true",
        "INSERT, fe01, , true, true, true",
        "DELETE, 0101, , false, false, true",
        "UPDATE, 0101, ff01, false, false, true",
        "UPDATE, 0101, 0200, false, true, true",
        "UPDATE, 0101, 0200, true, false, true",
        "UPDATE, 0100, 0200, true, true, true",
        "UPDATE, ff01, fffd, false, false, false",
        "UPDATE, fffe, ff01, false, false, true",
        "UPDATE, fffe, fffe, true, true, true",
    })
    void anImageIsReportedIfItDoesNotIdentifyItsRow(
            EventType type, String first, String after, boolean completes, boolean withoutKey, boolean any) {
        byte[] body = java.util.HexFormat.of().parseHex("09" + first + (after == null ? "" : after));

        assertThat(reports(Reported.WITHOUT_KEY, completes, type, body)).isEqualTo(withoutKey);
        assertThat(reports(Reported.ANY, completes, type, body)).isEqualTo(any);
        assertThat(reports(Reported.NONE, completes, type, body)).isFalse();
    }

    private boolean reports(Reported reported, boolean completes, EventType type, byte[] body) {
        log.clear();
        PartialImageReport report = new PartialImageReport(new PartialImagePolicy(completes, reported, false, "x"));
        for (int i = 0; i < 3; i++) {
            report.check(event, type, table("t"), new EventBody(body, 0, body.length));
        }
        assertThat(log.texts()).hasSizeLessThanOrEqualTo(1);
        return !log.texts().isEmpty();
    }

    @Test
    void aHundredTablesAreNamedAtMost() {
        PartialImageReport report = new PartialImageReport(new PartialImagePolicy(false, Reported.ANY, false, "x"));
        byte[] body = {9, 1, 1};
        for (int i = 0; i < 300; i++) {
            report.check(event, EventType.DELETE, table("t" + i % 150), new EventBody(body, 0, body.length));
        }

        assertThat(log.texts()).hasSize(101);
        assertThat(log.texts().get(99)).contains("table=s.t99 ");
        assertThat(log.texts().get(100)).contains("not named any more");
    }

    private static MappedTable table(String name) {
        int[] types = new int[9];
        java.util.Arrays.fill(types, ColumnCode.TINY);
        TableMap map = new TableMap(7, "s", name, types, new int[9], new boolean[9], null);
        List<MappedColumn> columns = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            ColumnDeclaration column = new ColumnDeclaration("c" + i, "tinyint", false, null);
            columns.add(new MappedColumn(
                    column.name(),
                    column.mysqlType(),
                    i == 0 || i == 8,
                    ColumnTypes.defaults(ZoneOffset.UTC).of(map, i, column)));
        }
        return new MappedTable("s", name, columns);
    }
}
