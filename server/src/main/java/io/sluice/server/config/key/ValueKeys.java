package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.WORDY_BOOLEAN;
import static io.sluice.server.config.text.ValueType.ZONE;
import static io.sluice.server.config.text.ValueType.bytes;
import static io.sluice.server.config.text.ValueType.longInteger;
import static io.sluice.server.config.text.ValueType.oneOf;

import io.sluice.format.value.PartialJson;
import io.sluice.server.config.text.Key;
import java.time.ZoneId;
import java.util.Locale;

/** The keys of how changes look that are delivered: their values, images and transactions. */
public final class ValueKeys {
    public static final KeyGroup GROUP = new KeyGroup("An instance: how values and transactions are delivered");

    public static final Key<Boolean> EXACT_DECIMALS =
            GROUP.add(Key.instance("canal.instance.value.decimal.exact", WORDY_BOOLEAN, "false")
                    .ours()
                    .described("`true`: decimals with the digits that MySQL shows."));
    public static final Key<Boolean> EXACT_BINARY =
            GROUP.add(Key.instance("canal.instance.value.binary.exact", WORDY_BOOLEAN, "false")
                    .ours()
                    .described(
                            "`true`: `BINARY(n)` has all of its n bytes; else the zero bytes at its end are missing, as in the"
                                    + " binlog."));
    public static final Key<Boolean> EXACT_JSON =
            GROUP.add(Key.instance("canal.instance.value.json.exact", WORDY_BOOLEAN, "false")
                    .ours()
                    .described(
                            "`true`: `BINARY`, `BIT` and other values that JSON has no type for are in JSON documents as MySQL shows them,"
                                    + " `base64:type15:…`; else as UTF-8, in which other bytes are lost."
                                    + " [Debezium's envelope](debezium.md) always has the first."));
    public static final Key<Boolean> COMPLETE_IMAGES = GROUP.add(Key.instance(
                    "canal.instance.value.image.complete", WORDY_BOOLEAN, "false")
            .ours()
            .described("`true`: columns that the image after an update lacks, its key among them, have the value of the"
                    + " image before ([routing.md](routing.md#row-images-that-lack-columns))."));
    public static final Key<PartialJson> PARTIAL_JSON = GROUP.add(Key.instance(
                    "canal.instance.value.json.partial",
                    oneOf(PartialJson.class, form -> form.name().toLowerCase(Locale.ROOT)),
                    "document")
            .ours()
            .described("What becomes of JSON that the source logs as differences"
                    + " (`binlog_row_value_options=PARTIAL_JSON`): the whole `document`, or canal's `function` text, which is empty for a document that did not change."
                    + " [Inserts of split updates](routing.md#updates-that-change-a-key-canalmqkeychange) and"
                    + " [Debezium's envelope](debezium.md) never have the text."));
    public static final Key<Boolean> STEADY_SQL_TYPES =
            GROUP.add(Key.instance("canal.instance.value.sqltype.steady", WORDY_BOOLEAN, "false")
                    .ours()
                    .described("`true`: the `sqlType` of a column does not depend on its values."));
    public static final Key<String> XA = GROUP.add(Key.instance(
                    "canal.instance.xa", oneOf("prepared", "committed"), "prepared")
            .ours()
            .described("Where rows of XA transactions are delivered: at XA PREPARE, as the binlog has them, though they"
                    + " may be rolled back (`prepared`), or at XA COMMIT (`committed`):"
                    + " [failures.md](failures.md#xa-transactions)."));
    public static final Key<Integer> XA_MEMORY = GROUP.add(Key.instance(
                    "canal.instance.xa.memory", bytes(0, 1 << 30), "8388608")
            .ours()
            .described("With `committed`: the size of the rows that are held back in memory, at most a sixteenth of the"
                    + " heap for all instances together; the others are in files beneath `canal.file.data.dir`."));
    public static final Key<Long> SPILL_MAX = GROUP.add(
            Key.instance("canal.instance.transaction.spill.max", longInteger(0, Long.MAX_VALUE), "17179869184")
                    .ours()
                    .described(
                            "MariaDB, and MySQL before 8.0: the largest file, in bytes, that holds a transaction until it ends, since its"
                                    + " rows may be rolled back; a larger one stops the instance. `0`: what exceeds 512 KB is delivered before:"
                                    + " [failures.md](failures.md#large-transactions-that-may-be-rolled-back)."));
    public static final Key<ZoneId> TIME_ZONE = GROUP.add(Key.instance("canal.instance.timezone", ZONE, "")
            .ours()
            .defaulting("the JVM's time zone, as with canal")
            .described("The zone in which `TIMESTAMP` is written."));
    public static final Key<Boolean> MARIADB_BEGINS =
            GROUP.add(Key.instance("canal.instance.mariadb.transaction.begin", WORDY_BOOLEAN, "false")
                    .ours()
                    .described("`true`: transactions of MariaDB have a begin, as those of MySQL do."));
    public static final Key<Boolean> ACCUMULATE_OLD =
            GROUP.add(Key.instance("canal.mq.flat.old.accumulate", WORDY_BOOLEAN, "true")
                    .ours()
                    .described("`false`: `old` of a flat message names only what its own row changed."));

    private ValueKeys() {}
}
