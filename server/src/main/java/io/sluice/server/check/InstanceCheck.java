package io.sluice.server.check;

import io.sluice.connector.api.producer.Spelling;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.protocol.pattern.ExpensivePatternException;
import io.sluice.schema.filter.ColumnFilter;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.filter.TableVerdict;
import io.sluice.schema.table.TableName;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.instance.PartialImageRules;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.source.schema.SourceCatalog;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.UnloggedCascades;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads the tables of an instance's source, and matches them with the instance's filters. */
public final class InstanceCheck {
    private static final String INCLUDE = VerdictText.INCLUDE;
    private static final String KEEP_COLUMNS = "canal.instance.filter.field";
    private static final String DROP_COLUMNS = "canal.instance.filter.black.field";

    /** The sentence of the report for each kind of entry that is left out, in its order. */
    private static final Map<Omitted, String> SENTENCES = sentences();

    private final InstanceConfig config;
    private final ServerMode mode;
    private final boolean flat;
    private final boolean hasStatements;
    private final TableFilter tables;
    private final ColumnFilter columns;
    private final Map<List<String>, List<String>> lists = new HashMap<>();

    private InstanceCheck(ServerConfig server, InstanceConfig config) {
        this.config = config;
        this.mode = server.mode();
        this.flat = server.mode().isQueue() && !server.mq().inPackets();
        this.hasStatements = !server.mode().isQueue() || server.mq().format().hasStatements();
        this.tables = config.filter().tables();
        this.columns = config.filter().columns();
    }

    /**
     * Checks an instance; that its source cannot be asked is in the report.
     *
     * @param server the server that it is one of
     */
    public static InstanceReport check(ServerConfig server, InstanceConfig config) {
        InstanceCheck check = new InstanceCheck(server, config);
        try {
            SourceCatalog catalog = SourceCatalog.read(config.commandLogin(), check::passes);
            return check.report(catalog);
        } catch (IOException e) {
            return check.report("", failure(e, config.commandLogin()), List.of(), List.of());
        }
    }

    /** Why a source could not be asked, and what to do. */
    static String failure(IOException thrown, ConnectOptions login) {
        Throwable cause = AccountFailure.explained(thrown, login, null);
        return "%s; %s".formatted(FailureClassifier.message(cause), FailureClassifier.remedy(cause));
    }

    /** What a source with these tables would deliver. */
    static InstanceReport check(ServerConfig server, InstanceConfig config, SourceCatalog catalog) {
        return new InstanceCheck(server, config).report(catalog);
    }

    private InstanceReport report(SourceCatalog catalog) {
        List<String> notes = notes(catalog.tables());
        noteRowImage(catalog.rowImage(), notes);
        noteTexts(catalog, notes);
        noteKeys(catalog, notes);
        noteCascades(catalog.cascades(), notes);
        return report(catalog.server(), "", catalog.tables(), notes);
    }

    private InstanceReport report(String server, String failure, List<SourceCatalog.Table> found, List<String> notes) {
        List<TableReport> reports = found.stream().map(this::table).toList();
        return new InstanceReport(
                config.destination(),
                config.login().address().toString(),
                server,
                failure,
                reports,
                switches(),
                StoredState.obstacles(config),
                notes);
    }

    private void noteTexts(SourceCatalog catalog, List<String> notes) {
        if (!catalog.textsBesideRows()
                || !hasStatements
                || config.stream().omitted().contains(Omitted.DML_STATEMENTS)) {
            return;
        }
        boolean excludes = catalog.tables().stream().anyMatch(this::leavesOut);
        if (excludes) {
            notes.add(
                    "the source logs the texts of DML beside rows, and they are delivered with all values, also those of"
                            + " tables and columns that are left out here: set canal.instance.filter.query.dml=true");
        }
    }

    private void noteKeys(SourceCatalog catalog, List<String> notes) {
        if (mode.isQueue()) {
            List<SourceCatalog.Table> delivered = catalog.tables().stream()
                    .filter(table -> table(table).delivered())
                    .toList();
            notes.addAll(KeyNotes.of(mode, config.routing().rules(), delivered));
        }
    }

    private void noteCascades(SourceCatalog.Cascades cascades, List<String> notes) {
        List<TableName> delivered =
                cascades.tables().stream().filter(this::passes).toList();
        if (!delivered.isEmpty()) {
            notes.add(
                    ("foreign keys with CASCADE or SET NULL change rows of %s, and the source does not log these changes, so they are"
                                    + " not delivered: have applications change these rows themselves, or the readers follow the"
                                    + " foreign keys (docs/concepts.md, \"What the binlog does not have\")")
                            .formatted(UnloggedCascades.named(delivered)));
        }
        if (!cascades.failure().isEmpty()) {
            notes.add("whether foreign keys change rows that the source does not log is not known: "
                    + cascades.failure());
        }
    }

    private boolean passes(TableName table) {
        try {
            return tables.passes(table.schema(), table.table());
        } catch (ExpensivePatternException e) {
            return false; // reported as the reason of the table
        }
    }

    private boolean leavesOut(SourceCatalog.Table table) {
        TableReport report = table(table);
        return !report.delivered() || !report.leftOut().isEmpty();
    }

    private void noteRowImage(String rowImage, List<String> notes) {
        String consequence = new PartialImageRules(config, flat).consequence();
        if (!rowImage.isEmpty() && !rowImage.equalsIgnoreCase("FULL") && !consequence.isEmpty()) {
            notes.add("the source has binlog_row_image=%s: %s".formatted(rowImage, consequence));
        }
    }

    private TableReport table(SourceCatalog.Table table) {
        String schema = table.schema();
        String name = table.table();
        TableVerdict verdict;
        try {
            verdict = tables.explain(schema, name);
        } catch (ExpensivePatternException e) {
            return new TableReport(
                    schema, name, false, "the instance stops here: " + e.getMessage(), List.of(), List.of(), "");
        }
        List<String> delivered = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        if (verdict.passes()) {
            for (SourceCatalog.Column column : table.columns()) {
                (columns.passes(schema, name, column.name()) ? delivered : leftOut).add(column.name());
            }
        }
        String why = leftOut.isEmpty() ? "" : columns.isKept(schema, name) ? KEEP_COLUMNS : DROP_COLUMNS;
        return new TableReport(
                schema, name, verdict.passes(), VerdictText.of(verdict), shared(delivered), shared(leftOut), why);
    }

    /** Most tables of a source that has many have the same columns. */
    private List<String> shared(List<String> names) {
        List<String> own = List.copyOf(names);
        List<String> known = lists.putIfAbsent(own, own);
        return known == null ? own : known;
    }

    private static Map<Omitted, String> sentences() {
        Map<Omitted, String> sentences = new LinkedHashMap<>();
        sentences.put(Omitted.ROWS, "no rows (canal.instance.filter.rows)");
        sentences.put(Omitted.INSERTS, "no inserted rows (canal.instance.filter.dml.insert)");
        sentences.put(Omitted.UPDATES, "no updated rows (canal.instance.filter.dml.update)");
        sentences.put(Omitted.DELETES, "no deleted rows (canal.instance.filter.dml.delete)");
        sentences.put(Omitted.DDL_STATEMENTS, "no DDL (canal.instance.filter.query.ddl)");
        sentences.put(Omitted.ALL_STATEMENTS, "no statements, neither DDL nor DML (canal.instance.filter.query.ddl)");
        sentences.put(
                Omitted.DML_STATEMENTS,
                "no DML in statement format, no texts beside rows (canal.instance.filter.query.dml)");
        sentences.put(
                Omitted.QUERY_STATEMENTS,
                "no DDL of schemas, no statements that cannot be read (canal.instance.filter.query.dcl)");
        sentences.put(
                Omitted.MISMATCHED_ROWS,
                "no rows of tables whose schema is not known (canal.instance.filter.table.error or"
                        + " canal.instance.schema.onMismatch)");
        return sentences;
    }

    /** What is left out of tables that pass. */
    private List<String> switches() {
        Set<Omitted> omitted = config.stream().omitted();
        return SENTENCES.entrySet().stream()
                .filter(sentence -> omitted.contains(sentence.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private List<String> notes(List<SourceCatalog.Table> found) {
        List<String> notes = new ArrayList<>();
        Map<String, SourceCatalog.Table> byName = new LinkedHashMap<>();
        found.forEach(table -> byName.put(lower(table.schema() + "." + table.table()), table));
        Set<String> named = Set.copyOf(tables.namedTables());
        for (String name : tables.namedTables()) {
            if (!byName.containsKey(name)) {
                notes.add("%s names %s, but the source has no such table%s"
                        .formatted(INCLUDE, name, meant(name, byName.keySet())));
            }
        }
        for (String expression : tables.includesThatMatchNone(byName.keySet())) {
            if (!named.contains(lower(expression.replace("\\", "")))) {
                notes.add("%s: no table of the source matches %s".formatted(INCLUDE, expression));
            }
        }
        columns.namedTables().forEach(name -> noteColumns(lower(name), byName, notes));
        return notes;
    }

    private void noteColumns(String name, Map<String, SourceCatalog.Table> byName, List<String> notes) {
        SourceCatalog.Table table = byName.get(name);
        if (table == null) {
            notes.add("the columns of %s are chosen, but the source has no such table%s"
                    .formatted(name, meant(name, byName.keySet())));
            return;
        }
        Set<String> named = columns.namedColumns(table.schema(), table.table());
        List<String> there = table.columns().stream()
                .map(column -> column.name().toUpperCase(Locale.ROOT))
                .toList();
        String key = columns.isKept(table.schema(), table.table()) ? KEEP_COLUMNS : DROP_COLUMNS;
        if (named != null) {
            named.stream()
                    .filter(column -> !there.contains(column))
                    .sorted()
                    .forEach(column -> notes.add("%s names the column %s, which %s does not have%s"
                            .formatted(key, lower(column), name, lower(meant(column, there)))));
        }
        List<String> keys = table.columns().stream()
                .filter(column -> column.key() && !columns.passes(table.schema(), table.table(), column.name()))
                .map(SourceCatalog.Column::name)
                .toList();
        if (!keys.isEmpty() && tables.passes(table.schema(), table.table())) {
            notes.add("%s leaves out %s of the primary key of %s: pkNames does not have it either"
                    .formatted(key, String.join(", ", keys), name));
        }
    }

    private static String meant(String name, Collection<String> there) {
        return Spelling.nearest(name, there)
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("");
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
