package io.sluice.server.config.read;

import io.sluice.protocol.pattern.MarkedSyntaxException;
import io.sluice.schema.filter.ColumnFilter;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.filter.TableFilter;
import io.sluice.server.config.key.FilterKeys;
import io.sluice.server.config.key.SchemaKeys;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Setting;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import io.sluice.stream.options.Omitted;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Reads what an instance leaves out, and checks the expressions in it. */
final class FilterReader {
    private static final Map<Key<Boolean>, Omitted> SWITCHES = Map.of(
            FilterKeys.DROP_TRANSACTION_ENTRIES, Omitted.TRANSACTION_BOUNDARIES,
            FilterKeys.DROP_DCL, Omitted.QUERY_STATEMENTS,
            FilterKeys.DROP_DML, Omitted.DML_STATEMENTS,
            FilterKeys.DROP_OTHER_STATEMENTS, Omitted.OTHER_STATEMENTS,
            FilterKeys.FILTER_UNREAD_STATEMENTS, Omitted.UNREAD_STATEMENTS_OF_EXCLUDED_TABLES,
            FilterKeys.DROP_ROWS, Omitted.ROWS,
            FilterKeys.DROP_INSERTS, Omitted.INSERTS,
            FilterKeys.DROP_UPDATES, Omitted.UPDATES,
            FilterKeys.DROP_DELETES, Omitted.DELETES,
            FilterKeys.SKIP_TABLE_ERRORS, Omitted.MISMATCHED_ROWS);

    private final Settings settings;

    FilterReader(Settings settings) {
        this.settings = settings;
    }

    /** Reads the tables and columns; what cannot be read is reported, with the position in the value. */
    FilterRules rules() {
        return FilterRules.ALL
                .withIncluded(checked(FilterKeys.INCLUDE, tablesOf(FilterKeys.INCLUDE)))
                .withExcluded(checked(FilterKeys.EXCLUDE, tablesOf(FilterKeys.EXCLUDE)))
                .withKeptColumns(checked(FilterKeys.KEEP_COLUMNS, list -> new ColumnFilter(list, "")))
                .withDroppedColumns(checked(FilterKeys.DROP_COLUMNS, list -> new ColumnFilter("", list)));
    }

    /** Reads which kinds of entries are left out. */
    Set<Omitted> omitted() {
        Set<Omitted> omitted = EnumSet.noneOf(Omitted.class);
        SWITCHES.forEach((key, kind) -> {
            if (settings.get(key)) {
                omitted.add(kind);
            }
        });
        if (settings.get(FilterKeys.DROP_DDL)) {
            omitted.add(settings.get(FilterKeys.DROP_DDL_ONLY) ? Omitted.DDL_STATEMENTS : Omitted.ALL_STATEMENTS);
        }
        if (settings.get(SchemaKeys.ON_MISMATCH).equals("skip")) {
            omitted.add(Omitted.MISMATCHED_ROWS);
        }
        return omitted;
    }

    private Consumer<String> tablesOf(Key<String> key) {
        return list -> TableFilter.problemOf(list).ifPresent(problem -> settings.complain(key, problem));
    }

    private String checked(Key<String> key, Consumer<String> reader) {
        String list = settings.get(key);
        try {
            reader.accept(list);
            return list;
        } catch (MarkedSyntaxException e) {
            settings.complain(key, e.getMessage());
            return "";
        }
    }

    /**
     * Sentences about what can be read, but is probably meant otherwise.
     *
     * @param hasStatements whether statements become messages
     */
    List<Warning> doubts(boolean hasStatements) {
        List<Warning> doubts = new ArrayList<>();
        if (hasStatements && !settings.get(FilterKeys.DROP_DML)) {
            doubtTexts(doubts);
        }
        for (Key<String> key : List.of(FilterKeys.INCLUDE, FilterKeys.EXCLUDE)) {
            Setting setting = settings.raw(key.name());
            if (setting != null && !setting.isBlank()) {
                for (String doubt : doubtsOf(setting.text())) {
                    doubts.add(new Warning.At(setting.origin(), key.name() + ": " + settings.sentence(key, doubt)));
                }
            }
        }
        return doubts;
    }

    /** The text of a statement has all values, also those of columns that are left out. */
    private void doubtTexts(List<Warning> doubts) {
        for (Key<String> key : List.of(FilterKeys.DROP_COLUMNS, FilterKeys.KEEP_COLUMNS)) {
            Setting setting = settings.raw(key.name());
            if (setting != null && !settings.get(key).isBlank()) {
                doubts.add(new Warning.At(
                        setting.origin(),
                        "%s: does not hold for the texts of DML (beside rows: MariaDB logs them by default, MySQL with binlog_rows_query_log_events), which are delivered with the values of excluded columns: set %s = true"
                                .formatted(key.name(), FilterKeys.DROP_DML.name())));
                return;
            }
        }
    }

    private static List<String> doubtsOf(String list) {
        try {
            return TableFilter.doubtsOf(list);
        } catch (MarkedSyntaxException e) {
            return List.of(); // reported as a problem
        }
    }
}
