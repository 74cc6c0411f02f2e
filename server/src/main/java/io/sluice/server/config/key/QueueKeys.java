package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.BOOLEAN;
import static io.sluice.server.config.text.ValueType.integer;
import static io.sluice.server.config.text.ValueType.oneOf;

import io.sluice.format.message.MessageFormats;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.ValueType;

/** The keys of messages and batches that hold for the whole server. */
public final class QueueKeys {
    public static final KeyGroup GROUP = new KeyGroup("Messages and batches");

    public static final Key<Boolean> FLAT_MESSAGE = GROUP.add(Key.server("canal.mq.flatMessage", BOOLEAN, "true")
            .described("`true`: rows as flat JSON; `false`: protobuf packets."));
    public static final Key<String> FORMAT = GROUP.add(Key.server(
                    "canal.mq.format", oneOf(MessageFormats.names().toArray(String[]::new)), "")
            .ours()
            .defaulting("as `canal.mq.flatMessage` says")
            .described("The format of messages; [`debezium`](debezium.md) is JSON in Debezium's envelope. If it is set,"
                    + " `canal.mq.flatMessage` has no effect; `false` there with a format of JSON is a warning at the start"
                    + " and in `check`."));
    public static final Key<Integer> BATCH_SIZE =
            GROUP.add(Key.server("canal.mq.canalBatchSize", integer(1, 1 << 20), "50")
                    .described(
                            "The size of a batch in units of `canal.instance.memory.buffer.memunit`, so by default in KiB; with"
                                    + " `canal.instance.memory.batch.mode = ITEMSIZE` the number of its entries."));
    public static final Key<Integer> GET_TIMEOUT =
            GROUP.add(Key.server("canal.mq.canalGetTimeout", ValueType.integerOf("milliseconds"), "100")
                    .described(
                            "How long one get of an idle store lasts, at most 200; 0 or less: 100. Entries never wait for a batch to"
                                    + " become full, as they do with canal."));
    public static final Key<Boolean> HASH_SCHEMA = GROUP.add(Key.server("canal.mq.database.hash", BOOLEAN, "true")
            .described("Whether the schema's name counts where rows are spread over partitions."));
    public static final Key<Integer> BUILD_THREADS =
            GROUP.add(Key.server("canal.mq.build.thread.size", integer(1, 1024), "8")
                    .described("The number of threads that make messages, shared by all instances."));
    public static final Key<Integer> IN_FLIGHT_BATCHES = GROUP.add(
            Key.server("canal.mq.inflight.batches", integer(1, 10_000), "")
                    .ours()
                    .defaulting("`128`, or `160` if the broker is far away")
                    .described(
                            "The number of batches of an instance that may wait for the broker's answer. If it is not set, it is"
                                    + " more where the answers [take long by themselves](performance.md#a-broker-that-is-far-away)."));

    private QueueKeys() {}
}
