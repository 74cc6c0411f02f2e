package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.SECRET;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.WORDY_BOOLEAN;
import static io.sluice.server.config.text.ValueType.integerOf;
import static io.sluice.server.config.text.ValueType.oneOf;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Secret;

/** The keys of where an instance gets the schemas of its tables. */
public final class SchemaKeys {
    public static final KeyGroup GROUP = new KeyGroup("An instance: table schemas");

    public static final Key<Boolean> HISTORY =
            GROUP.add(Key.instance("canal.instance.tsdb.enable", WORDY_BOOLEAN, "true")
                    .described(
                            "Keep a history of table schemas, so that a restart knows those of its position; `false`: ask the source"
                                    + " at each start."));
    public static final Key<String> HISTORY_URL = GROUP.add(
            Key.instance("canal.instance.tsdb.url", TEXT, "")
                    .shipped("jdbc:h2:${canal.instance.tsdb.dir}/h2;CACHE_SIZE=1000;MODE=MYSQL;")
                    .defaulting("`jdbc:h2:` and `h2` beside the cursor")
                    .described(
                            "`jdbc:h2:<path>` for the local file `<path>.sqlite`, `jdbc:sqlite:<file>` for that file, or"
                                    + " `jdbc:mysql://<host>:<port>/<schema>` for canal's two tables there; its parameters for TLS and for"
                                    + " the password have Connector/J's meaning, or a stricter one: see [the URL's parameters](security.md#tls-of-the-schema-history)."));
    public static final Key<String> HISTORY_USER =
            GROUP.add(Key.instance("canal.instance.tsdb.dbUsername", TEXT, "canal")
                    .described("The user for MySQL, and for the H2 file of canal; a local file has no user."));
    public static final Key<Secret> HISTORY_PASSWORD = GROUP.add(
            Key.instance("canal.instance.tsdb.dbPassword", SECRET, "canal").described("The password of that user."));
    public static final Key<Integer> SNAPSHOT_HOURS =
            GROUP.add(Key.instance("canal.instance.tsdb.snapshot.interval", integerOf("hours"), "24")
                    .described(
                            "The time after which all table schemas are written again, if there was DDL; 0 or less: never, and what has expired"
                                    + " is not removed then, so that the history and the time of a start grow."));
    public static final Key<Integer> EXPIRE_HOURS = GROUP.add(Key.instance(
                    "canal.instance.tsdb.snapshot.expire", integerOf("hours"), "360")
            .described("The time that the history reaches back. What is older is removed when all table schemas are"
                    + " written again."));
    public static final Key<String> ON_MISMATCH =
            GROUP.add(Key.instance("canal.instance.schema.onMismatch", oneOf("stop", "skip"), "stop")
                    .ours()
                    .described(
                            "When rows do not match the table schema: `stop` the instance with the reason, or `skip` the rows"
                                    + " of that table, with a count, until a schema matches. `canal.instance.filter.table.error=true`"
                                    + " means `skip` too."));
    public static final Key<String> RELOAD = GROUP.add(Key.instance("canal.instance.schema.reload", TEXT, "")
            .ours()
            .described(
                    "Expressions of `schema.table`: take these tables from the source at the start, whatever the history"
                            + " says. Remove it afterwards."));

    private SchemaKeys() {}
}
