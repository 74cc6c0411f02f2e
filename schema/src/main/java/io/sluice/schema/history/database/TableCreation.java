package io.sluice.schema.history.database;

import java.io.IOException;

/**
 * Creates canal's two tables of a history, {@code meta_snapshot} and {@code meta_history}, and the table {@code meta_identity}, which canal does not have.
 * Tables that exist get what they lack.
 */
public final class TableCreation {
    /**
     * The format of what is written. A version that changes the meaning of rows or snapshots increases it, so that this version rejects them instead of
     * misreading them.
     */
    public static final int FORMAT = 1;

    /** The column of {@code meta_identity} with the format. */
    public static final String FORMAT_COLUMN = "format_version";

    /**
     * The column of {@code meta_identity} that states when canal has closed the file from which the history was imported; 0 if it had not. A table of
     * an earlier build has none if the account may not add it.
     */
    public static final String CLOSED_COLUMN = "imported_closed_millis";

    private static final String CLOSED_TYPE = "bigint";

    private static final String KEY_COLUMNS = "destination, binlog_master_id, binlog_file, binlog_offest";
    private static final String COMMON_COLUMNS = "gmt_create datetime not null, gmt_modified datetime not null,"
            + " destination varchar(128), binlog_file varchar(64), binlog_offest bigint, binlog_master_id varchar(64),"
            + " binlog_timestamp bigint";

    private TableCreation() {}

    /** Creates the tables, and what existing ones lack. */
    public static void create(HistoryDatabase database) throws IOException {
        createMissing(database);
        complete(database);
    }

    /** Creates the tables that do not exist. Large texts are the last columns, so that a row's other values are read without them. */
    public static void createMissing(HistoryDatabase database) throws IOException {
        database.update("create table if not exists meta_snapshot (id " + database.idType() + " primary key, "
                + COMMON_COLUMNS + ", extra longtext, data longtext, constraint meta_snapshot_position unique ("
                + KEY_COLUMNS
                + "))" + database.tableOptions());
        database.update("create table if not exists meta_history (id " + database.idType() + " primary key, "
                + COMMON_COLUMNS + ", use_schema varchar(1024), sql_schema varchar(1024), sql_table varchar(1024),"
                + " sql_type varchar(1024), extra text, sql_text longtext, constraint meta_history_position unique ("
                + KEY_COLUMNS
                + "))" + database.tableOptions());
        database.update("create table if not exists meta_identity (destination varchar(128) not null primary key,"
                + " history_id varchar(36) not null, last_id bigint not null, numbered_apart bigint not null,"
                + " imported varchar(64), " + CLOSED_COLUMN + " " + CLOSED_TYPE + ", " + FORMAT_COLUMN
                + " bigint default " + FORMAT
                + ")"
                + database.tableOptions());
    }

    /** Adds the index that tables of canal lack, and the column that those of an earlier build lack. */
    public static void complete(HistoryDatabase database) throws IOException {
        database.addColumn("meta_identity", CLOSED_COLUMN, CLOSED_TYPE);
        database.createIndex("meta_history_sequence", "meta_history", "destination, id, binlog_timestamp");
    }
}
