package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.WORDY_BOOLEAN;
import static io.sluice.server.config.text.ValueType.millis;
import static io.sluice.server.config.text.ValueType.oneOf;

import io.sluice.server.config.instance.OnReject;
import io.sluice.server.config.instance.OnTopicUnavailable;
import io.sluice.server.config.instance.RestartPolicy;
import io.sluice.server.config.text.Key;
import java.time.Duration;

/** The keys of what happens to messages that do not reach the queue, and to an instance that has failed. */
public final class FailureKeys {
    public static final KeyGroup GROUP = new KeyGroup("An instance: what does not reach the queue");

    public static final KeyGroup RESTART_GROUP = new KeyGroup("An instance: after a failure");

    public static final KeyGroup PACE_GROUP = new KeyGroup("An instance: pauses and limits");

    public static final Key<OnReject> ON_REJECT =
            GROUP.add(Key.instance("canal.mq.onReject", oneOf(OnReject.class, OnReject::spelling), "stop")
                    .ours()
                    .described(
                            "A message that the broker rejects because of its size or content: `stop` the instance, `skip` it"
                                    + " with a log line and a count, or send it to a `deadLetter` topic."));
    public static final Key<OnTopicUnavailable> ON_TOPIC_UNAVAILABLE = GROUP.add(Key.instance(
                    "canal.mq.onTopicUnavailable",
                    oneOf(OnTopicUnavailable.class, OnTopicUnavailable::spelling),
                    "retry")
            .ours()
            .described("A message whose topic does not exist, cannot have that name or partition, or may not be written"
                    + " to: `retry` with back-offs until it is taken, `stop` the instance, `skip` the message, or send it to"
                    + " the `deadLetter` topic."));
    public static final Key<String> DEAD_LETTER_TOPIC = GROUP.add(Key.instance("canal.mq.deadLetter.topic", TEXT, "")
            .ours()
            .defaulting("`<canal.mq.topic>_dead`")
            .described("The topic where dead letters go, to partition 0."));
    public static final Key<Duration> FIRST_PAUSE =
            GROUP.add(Key.instance("canal.mq.retry.pause.first", millis(1), "100")
                    .ours()
                    .described(
                            "The first back-off after a failure that may pass; each further one is twice as long, less up to half"
                                    + " at random. Retries never end."));
    public static final Key<Duration> MAX_PAUSE =
            GROUP.add(Key.instance("canal.mq.retry.pause.longest", millis(1), "30000")
                    .ours()
                    .described("The longest back-off."));
    public static final Key<Duration> ANSWER_TIMEOUT = GROUP.add(
            Key.instance("canal.mq.answer.timeout", millis(0), "300000")
                    .ours()
                    .described(
                            "After this time without any answer of the broker, what it was given is given up and sent again; 0:"
                                    + " never. Kafka answers by itself, after `kafka.delivery.timeout.ms` at the latest."));

    public static final Key<RestartPolicy> RESTART = RESTART_GROUP.add(Key.instance(
                    "canal.instance.restart", oneOf(RestartPolicy.class, RestartPolicy::spelling), "never")
            .ours()
            .defaulting("`never`; with `canal.admin.manager` `backoff`")
            .described("What happens to an instance that has failed: `never`: it stays so until an operator starts it,"
                    + " unless it could not be made, as with a damaged cursor, and others run;"
                    + " `backoff`: it is started again after 10 seconds, and after twice as long with each failure in a"
                    + " row, up to 320 seconds, less a random part of up to half. Among several servers it is always tried"
                    + " again, perhaps elsewhere."));

    public static final Key<Boolean> KEEP_PACE = PACE_GROUP.add(Key.instance(
                    "canal.instance.pause.keep", WORDY_BOOLEAN, "true")
            .ours()
            .described("Whether a pause, a position where it is to pause, and limits that an operator has set hold also"
                    + " after a restart of the process, where cursors are in files, and on the server that takes over, where"
                    + " they are in ZooKeeper."));

    private FailureKeys() {}
}
