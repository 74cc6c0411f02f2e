package io.sluice.schema.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays the DDL of the recorded cases and compares with what canal reported of each statement and of each row's columns. */
class GoldenSchemaTest {
    /**
     * Where we say something else than canal.
     *
     * @param difference what a line of the differences holds
     */
    private record Deviation(String caseName, String difference, String reason) {}

    private static final Map<String, SourceTraits> SOURCES = Map.of(
            "mysql-5.7.22", new SourceTraits(false, 50722, false),
            "mysql-8.0.15", new SourceTraits(false, 80015, false),
            "mysql-8.0.31", new SourceTraits(false, 80031, false),
            "mysql-9.7", new SourceTraits(false, 90704, false),
            "mariadb-10.11", new SourceTraits(true, 101118, false),
            "mariadb-11.8", new SourceTraits(true, 110806, false));

    private static final List<Deviation> DEVIATIONS = List.of(
            new Deviation("02-names-dots", "back``tick", "a doubled backtick in a name is one"),
            new Deviation("02-names-dots", "b``q", "a doubled backtick in a name is one"),
            new Deviation("02-names-unquoted", "CREATE DATABASE `库 名`", "quotes are not part of a schema's name"),
            new Deviation("05-ddl-create", "drop schema if exists `no_such", "quotes are not part of a schema's name"),
            new Deviation(
                    "05-ddl-comments", "shelf_cmt.c5: h INT", "canal takes the CREATE for a COMMIT; replay lacks it"),
            new Deviation("05-ddl-executable-comment-fails", "CREATE DATABASE /*!32312", "the name can be read"),
            new Deviation(
                    "05-ddl-if-not-exists-fails", "shelf_ine.n1", "the table was there, the text is without effect"),
            new Deviation("04-invisible-alter-fails", "SET INVISIBLE", "the text can be read"),
            new Deviation("04-invisible-pk-fails", "CREATE TABLE `keyless`", "the text can be read"),
            new Deviation("12-mariadb-or-replace-fails", "shelf_mor.r1", "OR REPLACE replaces the table schema"));

    static Stream<GoldenCase> cases() throws IOException {
        Path golden = Path.of(System.getProperty("sluice.golden", "../testkit/golden"));
        List<GoldenCase> cases = new ArrayList<>();
        for (String server : SOURCES.keySet()) {
            cases.addAll(GoldenCase.of(golden.resolve(server), "0", "11", "12", "13"));
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void reportsDdlAndColumnsAsCanalDoes(GoldenCase recorded) throws IOException {
        Map<TableName, String> end = recorded.definitions("end");
        SchemaTracker tracker = new SchemaTracker(end::get, SOURCES.get(recorded.server()));
        for (Map.Entry<TableName, String> start : recorded.definitions("start").entrySet()) {
            assertThat(tracker.catalog().define(start.getKey(), start.getValue()))
                    .isNotNull();
        }

        Set<String> differences = new TreeSet<>();
        for (JsonNode entry : recorded.entries()) {
            JsonNode header = entry.path("header");
            JsonNode value = entry.path("storeValue");
            if (value.path("isDdl").asBoolean() || (value.has("sql") && isRowType(value))) {
                compareStatement(tracker, header, value, differences);
            } else if (isRowsQuery(value) && !recorded.server().startsWith("mariadb")) { // which names no table
                compareNamedTable(tracker, header, value, differences);
            } else if (isRowType(value)) {
                compareColumns(tracker, header, value, differences);
            }
        }

        differences.removeIf(difference -> DEVIATIONS.stream()
                .anyMatch(known ->
                        recorded.name().endsWith("/" + known.caseName()) && difference.contains(known.difference())));
        assertThat(differences).isEmpty();
        SchemaTracker restored = new SchemaTracker(end::get, SOURCES.get(recorded.server()));
        restored.catalog().restore(tracker.catalog().state());
        assertThat(restored.catalog().state()).isEqualTo(tracker.catalog().state());
        assertThat(restored.catalog().tables().schemas())
                .containsExactlyInAnyOrderElementsOf(tracker.catalog().tables().schemas());
    }

    private static boolean isRowType(JsonNode value) {
        return Set.of("INSERT", "UPDATE", "DELETE")
                .contains(value.path("eventType").asText());
    }

    /** The statement text that is logged before its rows events. */
    private static boolean isRowsQuery(JsonNode value) {
        String sql = value.path("sql").asText("SET ");
        return value.path("eventType").asText().equals("QUERY") && !sql.startsWith("SET ");
    }

    private static void compareNamedTable(
            SchemaTracker tracker, JsonNode header, JsonNode value, Set<String> differences) {
        String sql = value.path("sql").asText();
        List<StatementChange> changes = tracker.statements().reader().classify(sql, "");
        String ours = changes.isEmpty() ? null : changes.get(0).table();
        if (!Objects.equals(ours, text(header.path("tableName")))) {
            differences.add("table %s -> %s: %s".formatted(header.path("tableName"), ours, sql));
        }
    }

    private static void compareStatement(
            SchemaTracker tracker, JsonNode header, JsonNode value, Set<String> differences) throws IOException {
        String sql = value.path("sql").asText();
        List<StatementChange> changes =
                tracker.statements().apply(sql, value.path("ddlSchemaName").asText(""));
        String recorded = "%s %s %s %s"
                .formatted(
                        header.path("eventType").asText(),
                        value.path("isDdl").asBoolean(),
                        text(header.path("schemaName")),
                        text(header.path("tableName")));
        String ours = "nothing";
        if (!changes.isEmpty()) {
            StatementChange first = changes.get(0);
            ours = "%s %s %s %s".formatted(first.type(), first.ddl(), first.schema(), first.table());
        }
        if (!ours.equals(recorded)) {
            differences.add("%s -> %s: %s".formatted(recorded, ours, sql));
        }
    }

    private static void compareColumns(SchemaTracker tracker, JsonNode header, JsonNode value, Set<String> differences)
            throws IOException {
        TableName name = new TableName(
                header.path("schemaName").asText(), header.path("tableName").asText());
        TableSchema table = tracker.catalog().table(name);
        if (table == null) {
            differences.add(name + " is not known");
            return;
        }
        for (JsonNode row : value.path("rowDatas")) {
            for (String image : List.of("beforeColumns", "afterColumns")) {
                for (JsonNode column : row.path(image)) {
                    int index = column.path("index").asInt();
                    String recorded = "%s %s %s"
                            .formatted(
                                    column.path("name").asText(),
                                    column.path("mysqlType").asText(),
                                    column.path("isKey").asBoolean());
                    String ours = "none";
                    if (index < table.columns().size()) {
                        ColumnSchema c = table.columns().get(index);
                        ours = "%s %s %s".formatted(c.name(), c.mysqlType(), c.primaryKey());
                    }
                    if (!Objects.equals(ours, recorded)) {
                        differences.add("%s: %s -> %s".formatted(name, recorded, ours));
                    }
                }
            }
        }
    }

    private static @Nullable String text(JsonNode node) {
        return node.isMissingNode() || node.asText().isEmpty() ? null : node.asText();
    }
}
