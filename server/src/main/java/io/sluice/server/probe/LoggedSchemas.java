package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.server.RenamedStatements;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The schemas whose changes a server writes into its binlog.
 *
 * @param only in lower case; empty if it has no such list ({@code binlog_do_db})
 * @param ignored in lower case ({@code binlog_ignore_db})
 */
record LoggedSchemas(Set<String> only, Set<String> ignored) {
    private static final int MOST_NAMES = 5;

    /** Columns of {@code SHOW BINARY LOG STATUS}. */
    private static final int ONLY = 2;

    private static final int IGNORED = 3;

    LoggedSchemas {
        only = Set.copyOf(only);
        ignored = Set.copyOf(ignored);
    }

    /** Asks a server. */
    static LoggedSchemas read(MySqlConnection connection) throws IOException {
        QueryResult.Row row = RenamedStatements.binlogStatus(connection).firstRow();
        return row == null || row.size() <= IGNORED
                ? new LoggedSchemas(Set.of(), Set.of())
                : new LoggedSchemas(list(row.text(ONLY)), list(row.text(IGNORED)));
    }

    private static Set<String> list(@Nullable String names) {
        return names == null || names.isEmpty()
                ? Set.of()
                : Stream.of(names.split(",")).map(LoggedSchemas::lowerCase).collect(Collectors.toSet());
    }

    private static String lowerCase(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private boolean has(String schema) {
        String name = lowerCase(schema);
        return (only.isEmpty() || only.contains(name)) && !ignored.contains(name);
    }

    /** @param passing the tables that an instance delivers */
    void judge(Collection<TableName> passing, Findings findings) {
        if (only.isEmpty() && ignored.isEmpty()) {
            return;
        }
        String subject = only.isEmpty() ? "binlog_ignore_db" : "binlog_do_db";
        TreeSet<String> missing = passing.stream()
                .map(TableName::schema)
                .filter(schema -> !has(schema))
                .collect(Collectors.toCollection(TreeSet::new));
        String value = String.join(",", new TreeSet<>(only.isEmpty() ? ignored : only));
        if (missing.isEmpty()) {
            findings.ok(subject, value + ": the changes of all tables that pass are logged");
        } else {
            findings.warning(
                    subject,
                    "%s: the server does not log changes of these schemas, whose tables pass: %s"
                            .formatted(value, shown(List.copyOf(missing))),
                    "remove the option from the server's configuration, or exclude these schemas by"
                            + " canal.instance.filter.black.regex");
        }
    }

    private static String shown(List<String> schemas) {
        String names = schemas.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return schemas.size() <= MOST_NAMES ? names : "%s and %d more".formatted(names, schemas.size() - MOST_NAMES);
    }
}
