package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.WORDY_BOOLEAN;
import static io.sluice.server.config.text.ValueType.integer;
import static io.sluice.server.config.text.ValueType.oneOf;

import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.server.config.text.Key;
import java.util.Locale;

/** The keys of the topics and partitions that an instance's changes go to. */
public final class RoutingKeys {
    public static final KeyGroup GROUP = new KeyGroup("An instance: topics and partitions");

    public static final Key<String> TOPIC = GROUP.add(Key.instance("canal.mq.topic", TEXT, "")
            .shipped("example")
            .defaulting("required, but for clients that pull")
            .described("The topic of everything, or of what no rule is for."));
    public static final Key<Integer> PARTITION = GROUP.add(Key.instance("canal.mq.partition", integer(0), "0")
            .described("The partition, where there is no `canal.mq.partitionHash`."));
    public static final Key<String> TOPIC_RULES = GROUP.add(Key.instance("canal.mq.dynamicTopic", TEXT, "")
            .described("Rules for topics: `topic:match`, or `match` for topics that are named as what matches."));
    public static final Key<String> HASH_RULES = GROUP.add(Key.instance("canal.mq.partitionHash", TEXT, "")
            .described("Rules for partitions: `match:column^column`, `match:$pk$`, or `match` for the table's name."));
    public static final Key<Integer> PARTITIONS = GROUP.add(Key.instance("canal.mq.partitionsNum", integer(1), "")
            .defaulting("`1`")
            .described("The number of partitions over which `canal.mq.partitionHash` spreads."));
    public static final Key<String> COUNT_RULES = GROUP.add(Key.instance("canal.mq.dynamicTopicPartitionNum", TEXT, "")
            .described("The same for some topics: `match:number`."));
    public static final Key<Boolean> ASK_PARTITIONS = GROUP.add(Key.instance(
                    "canal.mq.enableDynamicQueuePartition", WORDY_BOOLEAN, "false")
            .described("RocketMQ only: spread over as many as the broker has for the topic, looked up every 30 s."));
    public static final Key<String> MESSAGE_KEY = GROUP.add(Key.instance("canal.mq.messageKey", TEXT, "")
            .shipped("none")
            .ours()
            .defaulting("`none`")
            .described("The key of a message: `none`, `pk` for the primary key, or rules like those of"
                    + " `canal.mq.partitionHash`."));
    public static final Key<KeyChange> KEY_CHANGE = GROUP.add(Key.instance(
                    "canal.mq.keyChange",
                    oneOf(KeyChange.class, change -> change.name().toLowerCase(Locale.ROOT)),
                    "keep")
            .ours()
            .described("`split`: an update that changes its key becomes a delete and an insert."));
    public static final Key<DdlPartition> DDL_PARTITION = GROUP.add(Key.instance(
                    "canal.mq.ddl.partition",
                    oneOf(DdlPartition.class, where -> where.name().toLowerCase(Locale.ROOT)),
                    "first")
            .ours()
            .described("`all`: the DDL of tables goes to every partition over which its topic's rows are spread."));
    public static final Key<Boolean> CHANGE_HEADERS =
            GROUP.add(Key.instance("canal.mq.event.headers", WORDY_BOOLEAN, "false")
                    .ours()
                    .described("`true`: messages have headers that identify their changes and their order"
                            + " ([routing.md](routing.md))."));

    private RoutingKeys() {}
}
