package io.sluice.server.config;

import io.sluice.protocol.pattern.MarkedSyntaxException;
import io.sluice.schema.filter.ColumnFilter;
import io.sluice.schema.filter.TableFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads what an instance leaves out, and looks at the expressions in it. */
final class FilterReader {
    private final Settings settings;

    FilterReader(Settings settings) {
        this.settings = settings;
    }

    /** Reads it; what cannot be read is reported, with the place in the value. */
    FilterConfig read() {
        return new FilterConfig(
                checked(Keys.INCLUDE, tablesOf(Keys.INCLUDE)),
                checked(Keys.EXCLUDE, tablesOf(Keys.EXCLUDE)),
                checked(Keys.KEEP_COLUMNS, list -> new ColumnFilter(list, "")),
                checked(Keys.DROP_COLUMNS, list -> new ColumnFilter("", list)),
                settings.get(Keys.DROP_TRANSACTION_ENTRIES),
                settings.get(Keys.DROP_DCL),
                settings.get(Keys.DROP_DML),
                settings.get(Keys.DROP_DDL),
                settings.get(Keys.DROP_DDL_ONLY),
                settings.get(Keys.DROP_OTHER_STATEMENTS),
                settings.get(Keys.PARSE_STATEMENTS),
                settings.get(Keys.DROP_ROWS),
                settings.get(Keys.DROP_INSERTS),
                settings.get(Keys.DROP_UPDATES),
                settings.get(Keys.DROP_DELETES),
                settings.get(Keys.SKIP_TABLE_ERRORS));
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

    /** Sentences about what can be read, but is probably meant otherwise. */
    List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        for (Key<String> key : List.of(Keys.INCLUDE, Keys.EXCLUDE)) {
            Setting setting = settings.raw(key.name());
            if (setting != null && !setting.isBlank()) {
                for (String doubt : doubtsOf(setting.text())) {
                    doubts.add(setting.origin() + ": " + key.name() + ": " + doubt);
                }
            }
        }
        return doubts;
    }

    private static List<String> doubtsOf(String list) {
        try {
            return TableFilter.doubtsOf(list);
        } catch (MarkedSyntaxException e) {
            return List.of(); // reported as a problem
        }
    }
}
