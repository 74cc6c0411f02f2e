package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.history.HistoryConfigs;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.testkit.mysql.BinlogEnd;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Texts of tables whose character set is the default of their schema, on a server whose binlog does not state the character sets of columns. The
 * stream lags: when it reads the tables, their schemas have other defaults.
 */
final class SchemaDefaults {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SchemaDefaults() {}

    /** @param convertsToSchema whether {@code CONVERT TO CHARACTER SET DEFAULT} takes the default of the table's schema, not that of the session's */
    static void requireThoseOfTheTime(LiveServer live, boolean convertsToSchema) throws Exception {
        live.run(
                "create database altered character set cp1251",
                "create database current character set latin1",
                "create database converted character set cp1251",
                "create table converted.t (id int primary key, x text) character set koi8r",
                "create table converted.u (id int primary key, x text) character set koi8r",
                "create table converted.v (id int primary key, x text) character set koi8r");
        BinlogEnd from = live.server().rotateBinlog();
        live.run(
                "use current",
                "create table altered.t (id int primary key, x text)",
                "insert into altered.t values (1, x'E4')",
                "alter table converted.t convert to character set default",
                "insert into converted.t values (2, x'E4')",
                "set session collation_database = koi8r_general_ci",
                "create table current.t (id int primary key, x text)",
                "insert into current.t values (3, x'E4')",
                "alter table converted.u convert to character set default",
                "insert into converted.u values (4, x'E4')",
                "alter table converted.v character set default, add y text",
                "insert into converted.v values (5, x'E4', x'E4')",
                "set session collation_server = cp1251_general_ci",
                "create database made",
                "create table made.t (id int primary key, x text)",
                "insert into made.t values (6, x'E4')",
                "set session collation_server = latin1_bin",
                "alter database made character set default",
                "create table made.u (id int primary key, x text)",
                "insert into made.u values (7, x'E4')",
                "alter database altered character set latin1",
                "create table altered.u (id int primary key, x text)",
                "insert into altered.u values (8, x'E4')",
                "alter table altered.t add y text",
                "insert into altered.t values (9, x'E4', x'E4')",
                "alter database current character set koi8r",
                "alter database converted character set koi8r",
                "alter database made character set koi8r",
                "drop table made.t");

        assertThat(rows(live.entries(from, null)))
                .containsExactly(
                        "altered.t {\"id\":\"1\",\"x\":\"д\"}",
                        "converted.t {\"id\":\"2\",\"x\":\"%s\"}".formatted(convertsToSchema ? "д" : "ä"),
                        "current.t {\"id\":\"3\",\"x\":\"ä\"}",
                        "converted.u {\"id\":\"4\",\"x\":\"%s\"}".formatted(convertsToSchema ? "д" : "Д"),
                        "converted.v {\"id\":\"5\",\"x\":\"Д\",\"y\":\"д\"}",
                        "made.t {\"id\":\"6\",\"x\":\"д\"}",
                        "made.u {\"id\":\"7\",\"x\":\"ä\"}",
                        "altered.u {\"id\":\"8\",\"x\":\"ä\"}",
                        "altered.t {\"id\":\"9\",\"x\":\"д\",\"y\":\"д\"}");
    }

    /** @param folder for the schema history */
    static void requireThoseOfTheHistory(LiveServer live, Path folder) throws Exception {
        SchemaOptions history =
                new SchemaOptions(HistoryConfigs.of("kept", HistoryLocation.parse("jdbc:h2:h2", folder)), null);
        live.run("create database kept character set cp1251", "create database changed character set cp1251");
        BinlogEnd from = live.server().rotateBinlog();
        Cursor cursor;
        try (LiveSource first = live.source(from, history, null)) {
            first.readUntil(live.markTheEnd());
            cursor = first.cursor();
        }
        live.run(
                "create table kept.t (id int primary key, x text)",
                "insert into kept.t values (1, x'E4')",
                "alter database changed character set latin1",
                "drop database kept",
                "create database kept character set latin1");
        for (int run = 1; run <= 2; run++) {
            try (LiveSource again = live.source(from, history, cursor)) {
                assertThat(rows(again.readUntil(live.markTheEnd())))
                        .containsExactly("kept.t {\"id\":\"1\",\"x\":\"д\"}");
            }
        }
        try (LiveSource again = live.source(from, history, cursor)) {
            again.readUntil(live.markTheEnd());
            cursor = again.cursor();
        }
        live.run("create table changed.t (id int primary key, x text)", "insert into changed.t values (2, x'E4')");
        live.run("drop database changed");
        try (LiveSource again = live.source(from, history, cursor)) {
            assertThat(rows(again.readUntil(live.markTheEnd())))
                    .containsExactly("changed.t {\"id\":\"2\",\"x\":\"ä\"}");
        }
    }

    static void requireAStopWhereTheyCannotBeTold(LiveServer live) throws Exception {
        live.run("create database gone character set cp1251");
        BinlogEnd from = live.server().rotateBinlog();
        live.run(
                "create table gone.n (id int primary key)",
                "insert into gone.n values (1)",
                "create table gone.t (id int primary key, x text)",
                "insert into gone.t values (2, x'E4')",
                "drop database gone",
                "create database gone character set latin1",
                "create table gone.t (id int primary key, x text)");

        try (LiveSource source = live.source(from, null, false)) {
            source.readUntil(entry -> entry.kind() == EntryKind.ROWS);
            assertThatThrownBy(() -> source.readUntil(entry -> entry.kind() == EntryKind.ROWS))
                    .hasMessage("the source failed");
            assertThat(source.kind()).isEqualTo(SourceFailure.SCHEMA_MISMATCH);
        }
    }

    private static List<String> rows(List<Entry> entries) throws Exception {
        List<String> rows = new ArrayList<>();
        for (String message : LiveServer.flat(entries)) {
            JsonNode row = JSON.readTree(message);
            if (!row.get("isDdl").asBoolean() && row.get("data").isArray()) {
                rows.add("%s.%s %s"
                        .formatted(
                                row.get("database").asText(),
                                row.get("table").asText(),
                                row.get("data").get(0)));
            }
        }
        return rows;
    }
}
