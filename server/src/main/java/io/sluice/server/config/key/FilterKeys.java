package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.WORDY_BOOLEAN;

import io.sluice.server.config.text.Key;

/** The keys of what an instance leaves out. */
public final class FilterKeys {
    public static final KeyGroup GROUP = new KeyGroup("An instance: what is delivered");

    public static final Key<String> INCLUDE = GROUP.add(
            Key.instance("canal.instance.filter.regex", TEXT, ".*\\..*")
                    .described(
                            "The tables to keep: expressions of `schema.table`, separated by commas; see [filters](#filters)."));
    public static final Key<String> EXCLUDE = GROUP.add(Key.instance("canal.instance.filter.black.regex", TEXT, "")
            .shipped("mysql\\.slave_.*")
            .described("The tables to drop, written in the same way."));
    public static final Key<String> KEEP_COLUMNS = GROUP.add(Key.instance("canal.instance.filter.field", TEXT, "")
            .described("The columns to keep, of the tables in it: `schema.table:column/column`, separated by commas."));
    public static final Key<String> DROP_COLUMNS = GROUP.add(Key.instance("canal.instance.filter.black.field", TEXT, "")
            .described("The columns to drop, written in the same way."));
    public static final Key<Boolean> DROP_DCL =
            GROUP.add(Key.instance("canal.instance.filter.query.dcl", WORDY_BOOLEAN, "false")
                    .described("Drop `CREATE` and `DROP DATABASE`, and statements that canal's parser cannot read."));
    public static final Key<Boolean> DROP_DML =
            GROUP.add(Key.instance("canal.instance.filter.query.dml", WORDY_BOOLEAN, "false")
                    .described("Drop DML that was logged as a statement, and the texts beside rows."));
    public static final Key<Boolean> DROP_DDL =
            GROUP.add(Key.instance("canal.instance.filter.query.ddl", WORDY_BOOLEAN, "false")
                    .described("Drop all statements, that DML too."));
    public static final Key<Boolean> DROP_DDL_ONLY =
            GROUP.add(Key.instance("canal.instance.filter.query.ddl.only", WORDY_BOOLEAN, "false")
                    .ours()
                    .described("`true`: `canal.instance.filter.query.ddl` drops DDL only."));
    public static final Key<Boolean> DROP_OTHER_STATEMENTS =
            GROUP.add(Key.instance("canal.instance.filter.query.other", WORDY_BOOLEAN, "true")
                    .ours()
                    .described("Drop what canal drops silently: views, users, foreign keys, `REPLACE`, and so on."));
    public static final Key<Boolean> FILTER_UNREAD_STATEMENTS = GROUP.add(
            Key.instance("canal.instance.filter.query.unread", WORDY_BOOLEAN, "true")
                    .ours()
                    .described(
                            "Drop DDL of excluded tables also if canal's parser cannot read it; `false`: deliver it, of all tables, as canal does."));
    public static final Key<Boolean> PARSE_STATEMENTS = GROUP.add(Key.instance(
                    "canal.instance.filter.druid.ddl", WORDY_BOOLEAN, "true")
            .described("`false`: classify a statement by its beginning only, as canal does without its parser."));
    public static final Key<Boolean> DROP_ROWS = GROUP.add(
            Key.instance("canal.instance.filter.rows", WORDY_BOOLEAN, "false").described("Drop all rows."));
    public static final Key<Boolean> DROP_INSERTS =
            GROUP.add(Key.instance("canal.instance.filter.dml.insert", WORDY_BOOLEAN, "false")
                    .described("Drop inserted rows."));
    public static final Key<Boolean> DROP_UPDATES =
            GROUP.add(Key.instance("canal.instance.filter.dml.update", WORDY_BOOLEAN, "false")
                    .described("Drop updated rows."));
    public static final Key<Boolean> DROP_DELETES =
            GROUP.add(Key.instance("canal.instance.filter.dml.delete", WORDY_BOOLEAN, "false")
                    .described("Drop deleted rows."));
    public static final Key<Boolean> SKIP_TABLE_ERRORS = GROUP.add(Key.instance(
                    "canal.instance.filter.table.error", WORDY_BOOLEAN, "false")
            .described("Skip rows whose table is missing, denied, or has another schema, instead of stopping."));
    public static final Key<Boolean> DROP_TRANSACTION_ENTRIES =
            GROUP.add(Key.instance("canal.instance.filter.transaction.entry", WORDY_BOOLEAN, "false")
                    .defaulting("`false`; with a queue and `canal.instance.memory.rawEntry = false`: `true`")
                    .described(
                            "Drop all but a few begins and ends of transactions; the few let cursors advance. Among messages of"
                                    + " queues, only protobuf packets can have them ([which](formats.md#begin-and-end-of-transactions)); with"
                                    + " `canal.instance.memory.rawEntry = false` they have none unless `canal.properties` says `false`"
                                    + " at the start of the server."));

    private FilterKeys() {}
}
