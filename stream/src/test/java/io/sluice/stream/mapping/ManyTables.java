package io.sluice.stream.mapping;

import io.sluice.format.value.ColumnTypes;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.StringJoiner;

/** A stream of very many tables or table ids, in a JVM whose heap is small; it prints what is left of them in memory. */
public final class ManyTables {
    private static final int COLUMNS = 40;

    private ManyTables() {}

    /** What the tables of a stream have in common. */
    enum Kind {
        /** Each is created, filled and dropped, and has columns of its own. */
        DROPPED,
        /** The filter leaves them out. */
        LEFT_OUT,
        /** They stay, and have the same columns. */
        SAME_COLUMNS,
        /** A few tables, of which each statement has a new id. */
        IDS,
        /** A few tables whose rows do not match their schema; they are created and dropped. */
        UNKNOWN
    }

    public static void main(String[] arguments) throws IOException {
        Kind kind = Kind.valueOf(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        SchemaTracker tracker = new SchemaTracker(name -> definition(kind, name.table()));
        TableMappings tables = new TableMappings(
                tracker,
                new TableFilter(kind == Kind.LEFT_OUT ? "other\\..*" : "", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                RowDelivery.MATCHING,
                HiddenColumns.NONE,
                8 << 20);
        TableEvents events = new TableEvents(tables);
        for (int i = 0; i < count; i++) {
            String table = kind == Kind.IDS ? "t_" + i % 200 : "t_" + i;
            events.map(100 + i, "s", table, kind == Kind.SAME_COLUMNS ? 2 : COLUMNS, 0);
            boolean isUnknown = kind == Kind.LEFT_OUT || kind == Kind.UNKNOWN;
            TableMapping mapping = tables.byId(100 + i);
            if (mapping == null || (mapping.table() == null) != isUnknown) {
                throw new IllegalStateException("table id " + (100 + i) + " is mapped to " + mapping);
            }
            events.rows(100 + i, true);
            if (kind == Kind.DROPPED || kind == Kind.UNKNOWN) {
                tracker.statements().apply("drop table s." + table, "s");
                tables.onSchemaChange();
            }
        }
        System.out.println("tables " + tables.tables());
        System.out.println("ids " + tables.ids());
    }

    private static String definition(Kind kind, String table) {
        StringJoiner columns = new StringJoiner(", ", "create table x (", ")");
        int count = switch (kind) {
            case SAME_COLUMNS -> 2;
            case UNKNOWN -> 3;
            default -> COLUMNS;
        };
        for (int i = 0; i < count; i++) {
            columns.add((kind == Kind.DROPPED ? table : "column") + "_" + i + " int");
        }
        return columns.toString();
    }
}
