package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.RowsEntry;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An insert that names no column is a row, although no column of it is logged with minimal row images. */
@Timeout(600)
class EmptyRowIT {
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_10_11", "MARIADB_11_8"})
    void anInsertThatNamesNoColumnIsDelivered(ServerRelease release) throws Exception {
        try (LiveServer live = new LiveServer(MySqlOptions.defaults().release(release))) {
            live.run("create database blank");
            List<Entry> entries = live.delivered(
                    "create table blank.t (id int default 7 primary key, v varchar(9))",
                    "set binlog_row_image = MINIMAL",
                    "begin",
                    "insert into blank.t values ()",
                    "update blank.t set v = 'x'",
                    "update blank.t set id = 8",
                    "insert into blank.t values ()",
                    "delete from blank.t",
                    "commit");

            List<Entry> rows = entries.stream()
                    .filter(entry ->
                            entry.kind() == EntryKind.ROWS && entry.schemaName().equals("blank"))
                    .toList();
            List<String> changes = new ArrayList<>();
            for (Entry entry : rows) {
                changes.add(entry.eventType() + " " + ((RowsEntry) entry).rowCount());
            }
            assertThat(changes).containsExactly("INSERT 1", "UPDATE 1", "UPDATE 1", "INSERT 1", "DELETE 2");
            for (Entry entry : rows) {
                if (entry.eventType() == EventType.INSERT) {
                    assertThat(LiveServer.flat(List.of(entry)))
                            .singleElement()
                            .asString()
                            .contains("\"data\":[{}]", "\"type\":\"INSERT\"");
                    assertThat(protobufRows(entry)).isEqualTo(1);
                }
            }
        }
    }

    private static int protobufRows(Entry entry) throws IOException {
        ByteWriter out = new ByteWriter(256);
        Encodings.writeProtobuf(entry, out);
        ByteString bytes =
                io.sluice.protocol.entry.Entry.parseFrom(out.toByteArray()).getStoreValue();
        return RowChange.parseFrom(bytes).getRowDatasCount();
    }
}
