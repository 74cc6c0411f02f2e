package io.sluice.parse.schema;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The structures in memory; what is not known is asked of the source when it is needed. For one thread. */
final class TableCatalog {
    private static final Logger log = LoggerFactory.getLogger(TableCatalog.class);

    private record Entry(TableSchema table, Doubt doubt) {}

    private final TableDefinitions definitions;
    private final SourceTraits source;
    private final Map<TableName, Entry> tables = new HashMap<>();
    private final Map<String, String> schemaCharsets = new HashMap<>();
    /** Schemas that were made in the stream: a table of theirs that is not in memory does not exist. */
    private final Set<String> completeSchemas = new HashSet<>();

    TableCatalog(TableDefinitions definitions, SourceTraits source) {
        this.definitions = definitions;
        this.source = source;
    }

    /** The structure; asked of the source if it is not known or in doubt. Null if there is no such table. */
    @Nullable TableSchema table(TableName name) throws IOException {
        Entry entry = tables.get(key(name));
        if (entry != null && entry.doubt() == Doubt.NONE) {
            return entry.table();
        }
        TableSchema asked = ask(name);
        if (entry != null) {
            asked = settle(entry, asked);
        }
        if (asked != null) {
            put(asked, Doubt.NONE);
        }
        return asked;
    }

    private @Nullable TableSchema ask(TableName name) throws IOException {
        String createStatement = definitions.createStatement(name);
        return createStatement == null ? null : read(name, createStatement);
    }

    /** Takes the definition as it stands on the source, and puts it into memory. */
    @Nullable TableSchema define(TableName name, String createStatement) throws IOException {
        TableSchema table = read(name, createStatement);
        if (table != null) {
            put(table, Doubt.NONE);
        }
        return table;
    }

    private @Nullable TableSchema read(TableName name, String createStatement) throws IOException {
        String reason = "it is not a CREATE TABLE";
        StatementParser parser = new StatementParser(createStatement, name.schema(), source);
        Statement statement = parser.next();
        try {
            if (statement instanceof Statement.CreateTable create && create.body() != null) {
                TableBody body = create.body();
                return body.toSchema(name, body.needsSchemaCharset() ? schemaCharset(name.schema()) : null);
            } else if (statement instanceof Statement.UnreadableDdl unreadable) {
                reason = unreadable.reason();
            }
        } catch (UnreadableSqlException e) {
            reason = String.valueOf(e.getMessage());
        }
        log.warn("the definition of a table on the source cannot be read: table={} reason={}", name, reason);
        return null;
    }

    private static TableSchema settle(Entry entry, @Nullable TableSchema asked) {
        TableSchema ours = entry.table();
        if (asked == null) {
            return ours;
        }
        boolean agrees = ours.agreesWith(asked);
        if (!agrees) {
            log.warn(
                    "the source has other columns than the DDL of the stream, taking {}: table={} stream={} source={}",
                    entry.doubt() == Doubt.SPELLED_BY_SOURCE ? "the stream's" : "the source's",
                    ours.name(),
                    ours.columns().size(),
                    asked.columns().size());
        }
        return agrees == (entry.doubt() == Doubt.SPELLED_BY_SOURCE) ? asked : ours;
    }

    /** The structure in memory, in doubt or not; null if it is not there. */
    @Nullable TableSchema known(TableName name) {
        Entry entry = tables.get(key(name));
        return entry == null ? null : entry.table();
    }

    boolean knows(TableName name) {
        return tables.containsKey(key(name));
    }

    void put(TableSchema table, Doubt doubt) {
        boolean certain = doubt == Doubt.MAY_HAVE_BEEN_THERE
                && completeSchemas.contains(key(table.name().schema()));
        tables.put(key(table.name()), new Entry(table, certain ? Doubt.NONE : doubt));
    }

    /** Puts a changed structure in the place of the one before, with the same doubt. */
    void replace(TableSchema table) {
        tables.computeIfPresent(key(table.name()), (name, entry) -> new Entry(table, entry.doubt()));
    }

    void doubtSpelling(TableName name) {
        tables.computeIfPresent(key(name), (key, entry) -> new Entry(entry.table(), Doubt.SPELLED_BY_SOURCE));
    }

    void forget(TableName name) {
        tables.remove(key(name));
    }

    void rename(TableName from, TableName to) {
        Entry entry = tables.remove(key(from));
        if (entry == null) {
            forget(to);
        } else {
            tables.put(key(to), new Entry(entry.table().withName(to), entry.doubt()));
        }
    }

    void createSchema(String schema, @Nullable String charset, boolean ifNotExists) {
        String key = key(schema);
        if (ifNotExists) {
            return; // whether it was there, we cannot tell; then its set is not the one in the text
        }
        completeSchemas.add(key);
        schemaCharsets.remove(key);
        alterSchema(schema, charset);
    }

    void alterSchema(String schema, @Nullable String charset) {
        if (charset != null) {
            schemaCharsets.put(key(schema), charset);
        }
    }

    void dropSchema(String schema) {
        String key = key(schema);
        tables.keySet().removeIf(name -> name.schema().equals(key));
        schemaCharsets.remove(key);
        completeSchemas.remove(key);
    }

    @Nullable String schemaCharset(String schema) throws IOException {
        String charset = schemaCharsets.get(key(schema));
        return charset == null ? definitions.schemaCharset(schema) : charset;
    }

    Collection<TableSchema> tables() {
        return tables.values().stream().map(Entry::table).toList();
    }

    private TableName key(TableName name) {
        return source.foldsNames() ? new TableName(key(name.schema()), key(name.table())) : name;
    }

    private String key(String name) {
        return source.foldsNames() ? name.toLowerCase(Locale.ROOT) : name;
    }
}
