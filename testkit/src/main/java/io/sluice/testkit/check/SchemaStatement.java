package io.sluice.testkit.check;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a statement does to the tables of a model. Understands what workloads and plain scripts use, no more. */
final class SchemaStatement {
    private static final String NAME = "(?:`(?:[^`]|``)+`|[^\\s.,;`(]+)";
    private static final String TABLE = "(" + NAME + "(?:\\s*\\.\\s*" + NAME + ")?)";
    private static final int FLAGS = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern DROP_TABLES = Pattern.compile(
            "^\\s*drop\\s+(?:temporary\\s+)?tables?\\s+(?:if\\s+exists\\s+)?(.*)$", FLAGS | Pattern.DOTALL);
    private static final Pattern DROP_SCHEMA =
            Pattern.compile("^\\s*drop\\s+(?:database|schema)\\s+(?:if\\s+exists\\s+)?(" + NAME + ")", FLAGS);
    private static final Pattern RENAME_TABLES = Pattern.compile("^\\s*rename\\s+tables?\\s", FLAGS);
    private static final Pattern PAIR = Pattern.compile(TABLE + "\\s+to\\s+" + TABLE, FLAGS);
    private static final Pattern ALTER_RENAME = Pattern.compile(
            "^\\s*alter\\s+table\\s+" + TABLE + "\\s.*?\\brename\\s+(?:to\\s+|as\\s+|=\\s*)?" + TABLE + "\\s*(?:,|;|$)",
            FLAGS | Pattern.DOTALL);
    private static final Pattern CREATE_OR_REPLACE =
            Pattern.compile("^\\s*create\\s+or\\s+replace\\s+table\\s+" + TABLE, FLAGS);
    private static final Pattern ALTER = Pattern.compile("^\\s*alter\\s+table\\s+(?:if\\s+exists\\s+)?" + TABLE, FLAGS);
    private static final Pattern ONE_TABLE = Pattern.compile(TABLE);

    private SchemaStatement() {}

    static void apply(Change.OfSchema change, StateModel model) {
        String sql = COMMENT.matcher(change.sql()).replaceAll(" ");
        String schema = change.table().schema();
        switch (change.type()) {
            case "CREATE" -> model.models().computeIfAbsent(change.table(), t -> new TableModel());
            case "TRUNCATE" -> {
                TableModel table = model.models().get(change.table());
                if (table != null) {
                    table.clear();
                }
            }
            case "ERASE" -> droppedTables(sql, change.table()).forEach(model.models()::remove);
            case "RENAME" -> rename(sql, schema, model);
            case "ALTER", "CINDEX", "DINDEX" -> {
                rename(sql, schema, model);
                TableModel table = model.models().get(change.table());
                if (table != null) {
                    table.alter();
                }
            }
            default -> {
                unread(sql, schema, model);
                Matcher drop = DROP_SCHEMA.matcher(sql);
                if (drop.find()) {
                    String dropped = plain(drop.group(1));
                    model.models().keySet().removeIf(t -> t.schema().equals(dropped));
                }
            }
        }
    }

    /** A statement that canal cannot read, and so delivers without saying which table it is about, nor of which schema. */
    private static void unread(String sql, String schema, StateModel model) {
        Matcher replaced = CREATE_OR_REPLACE.matcher(sql);
        if (replaced.find()) {
            TableId table = tableOf(replaced.group(1), schema);
            model.models().keySet().removeIf(id -> isMeant(table, id));
        }
        Matcher altered = ALTER.matcher(sql);
        if (altered.find()) {
            TableId table = tableOf(altered.group(1), schema);
            model.models().forEach((id, rows) -> {
                if (isMeant(table, id)) {
                    rows.alter();
                }
            });
        }
    }

    private static boolean isMeant(TableId named, TableId known) {
        return named.table().equals(known.table())
                && (named.schema().isEmpty() || named.schema().equals(known.schema()));
    }

    private static List<TableId> droppedTables(String sql, TableId first) {
        Matcher drop = DROP_TABLES.matcher(sql);
        List<TableId> dropped = new ArrayList<>();
        if (drop.find()) {
            Matcher tables = ONE_TABLE.matcher(drop.group(1));
            while (tables.find()) {
                dropped.add(tableOf(tables.group(1), first.schema()));
            }
        } else {
            dropped.add(first);
        }
        return dropped;
    }

    private static void rename(String sql, String schema, StateModel model) {
        if (RENAME_TABLES.matcher(sql).find()) {
            Matcher pair = PAIR.matcher(RENAME_TABLES.matcher(sql).replaceFirst(""));
            while (pair.find()) {
                move(tableOf(pair.group(1), schema), tableOf(pair.group(2), schema), model);
            }
            return;
        }
        Matcher alter = ALTER_RENAME.matcher(sql);
        if (alter.find()) {
            TableId to = tableOf(alter.group(2), schema);
            move(tableOf(alter.group(1), schema), to, model);
            TableModel table = model.models().get(to);
            if (table != null) {
                table.alter();
            }
        }
    }

    private static void move(TableId from, TableId to, StateModel model) {
        TableModel table = model.models().remove(from);
        if (table != null) {
            model.models().put(to, table);
        }
    }

    private static TableId tableOf(String text, String schema) {
        Matcher names = Pattern.compile(NAME).matcher(text.replaceAll("\\s+(?=\\.)|(?<=\\.)\\s+", ""));
        List<String> parts = new ArrayList<>();
        while (names.find()) {
            parts.add(plain(names.group()));
        }
        return parts.size() > 1 ? new TableId(parts.get(0), parts.get(1)) : new TableId(schema, parts.get(0));
    }

    private static String plain(String name) {
        return name.startsWith("`") ? name.substring(1, name.length() - 1).replace("``", "`") : name;
    }
}
