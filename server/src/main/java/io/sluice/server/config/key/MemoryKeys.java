package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.WORDY_BOOLEAN;
import static io.sluice.server.config.text.ValueType.bytes;
import static io.sluice.server.config.text.ValueType.integer;
import static io.sluice.server.config.text.ValueType.millis;
import static io.sluice.server.config.text.ValueType.oneOf;
import static io.sluice.server.config.text.ValueType.powerOfTwo;

import io.sluice.server.config.text.Key;
import io.sluice.store.ring.BatchMode;
import java.time.Duration;

/** The keys of what an instance holds in memory, and of its cursor in a file. */
public final class MemoryKeys {
    public static final KeyGroup GROUP = new KeyGroup("An instance: memory and cursor");

    public static final Key<Integer> STORE_SLOTS =
            GROUP.add(Key.instance("canal.instance.memory.buffer.size", powerOfTwo(1 << 24), "16384")
                    .defaulting("`16384`, or [by the heap](#the-size-of-the-ring)")
                    .described("The number of entries that the ring holds."));
    public static final Key<Integer> STORE_SLOT_BYTES =
            GROUP.add(Key.instance("canal.instance.memory.buffer.memunit", bytes(1, 1 << 20), "1024")
                    .described("The size that an entry counts as; the ring holds at most the product."));
    public static final Key<BatchMode> BATCH_MODE = GROUP.add(
            Key.instance("canal.instance.memory.batch.mode", oneOf(BatchMode.class, BatchMode::name), "MEMSIZE")
                    .described("What the size of a batch counts: bytes in units of `memunit` (`MEMSIZE`) or entries"
                            + " (`ITEMSIZE`)."));
    public static final Key<Boolean> RAW_ENTRY = GROUP.add(Key.instance(
                    "canal.instance.memory.rawEntry", WORDY_BOOLEAN, "true")
            .described("Hold protobuf bytes where clients pull; for a broker, packets in the form that canal gives them"
                    + " then. Never with flat messages, rules for topics and partitions, or message keys."));
    public static final Key<Boolean> DDL_ISOLATION =
            GROUP.add(Key.instance("canal.instance.get.ddl.isolation", WORDY_BOOLEAN, "false")
                    .described("Whether a DDL is a batch of its own."));
    public static final Key<Integer> TRANSACTION_SIZE =
            GROUP.add(Key.instance("canal.instance.transaction.size", powerOfTwo(1 << 24), "1024")
                    .described(
                            "Taken for canal's sake: a transaction flows through in pieces of any size, and may be larger than"
                                    + " the ring."));
    public static final Key<Boolean> PARALLEL =
            GROUP.add(Key.instance("canal.instance.parser.parallel", WORDY_BOOLEAN, "true")
                    .described("`false`: as one thread below."));
    public static final Key<Integer> PARSER_THREADS =
            GROUP.add(Key.instance("canal.instance.parser.parallelThreadSize", integer(1, 1024), "")
                    .defaulting("60 % of the processors")
                    .described(
                            "The number of threads that encode entries where clients pull. The instances of a server share them, as"
                                    + " many as the largest number of all their instances. With a queue it has no effect: see"
                                    + " `canal.mq.build.thread.size`."));
    public static final Key<Integer> PARSER_BUFFER =
            GROUP.add(Key.instance("canal.instance.parser.parallelBufferSize", powerOfTwo(1 << 20), "256")
                    .described("Taken for canal's sake: work travels in chunks of bytes."));
    public static final Key<String> DATA_DIR = GROUP.add(Key.instance("canal.file.data.dir", TEXT, "../conf")
            .shipped("${canal.conf.dir}")
            .described("The directory of cursors: `<dir>/<destination>/meta.dat`."));
    public static final Key<Duration> FLUSH_PERIOD =
            GROUP.add(Key.instance("canal.file.flush.period", millis(1), "1000")
                    .described("The time after which a moved cursor is written to that file."));

    private MemoryKeys() {}
}
