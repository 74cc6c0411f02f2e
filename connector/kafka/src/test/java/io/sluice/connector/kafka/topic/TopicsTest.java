package io.sluice.connector.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.kafka.failure.KafkaErrors;
import io.sluice.connector.kafka.failure.NoSuchPartitionException;
import io.sluice.connector.kafka.failure.NoSuchTopicException;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;

/** What is known of topics, by answers that no broker has given. */
class TopicsTest {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final TimeoutException unknown =
            new TimeoutException("not in the metadata", new UnknownTopicOrPartitionException("unknown"));
    private final TimeoutException unreachable = new TimeoutException("no broker can be reached");
    private final HandTime time = new HandTime();
    private final Topics topics = new Topics(time);
    private final Answers answers = new Answers();

    /** A topic has some partitions, unless there is a failure. */
    private static final class Answers implements TopicMetadata {
        private KafkaException failure;
        private int count = 1;
        private int asked;

        @Override
        public int partitionsOf(String topic) {
            asked++;
            if (failure != null) {
                throw failure;
            }
            return count;
        }

        @Override
        public int newestPartitionsOf(String topic) {
            return partitionsOf(topic);
        }

        @Override
        public int partitionsOfMissing(String topic) {
            return partitionsOf(topic);
        }
    }

    @Test
    void aTopicIsUnavailableWhenItWasMissingForTheGrace() {
        answers.failure = unknown;

        assertThat(kindNow()).isEqualTo(FailureKind.PASSING);
        time.pass(MissingTopics.GRACE.minus(PAUSE));
        assertThat(kindNow()).isEqualTo(FailureKind.PASSING);
        time.pass(PAUSE);
        assertThat(kindNow()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThatThrownBy(() -> topics.requirePartition(answers, "shop", 0))
                .isInstanceOf(NoSuchTopicException.class)
                .hasMessageContaining("topic shop does not exist, and has not for 30 s");
    }

    /** Brokers that do not answer say nothing of topics. */
    @Test
    void brokersThatCannotBeReachedMakeNoTopicUnavailable() {
        answers.failure = unreachable;
        for (int i = 0; i < 100; i++) {
            assertThat(kindNow()).isEqualTo(FailureKind.PASSING);
            time.pass(PAUSE);
        }

        answers.failure = unknown;
        assertThat(kindNow()).isEqualTo(FailureKind.PASSING);
        answers.failure = unreachable;
        time.pass(MissingTopics.GRACE);
        assertThat(kindNow()).isEqualTo(FailureKind.PASSING);
        answers.failure = unknown;
        time.pass(PAUSE);
        assertThat(kindNow()).as("another broker that has just started").isEqualTo(FailureKind.PASSING);
    }

    /** Such as one that brokers make when they are asked for it. */
    @Test
    void aTopicThatIsCreatedMeanwhileIsUsed() {
        answers.failure = unknown;
        assertThat(kindNow()).isEqualTo(FailureKind.PASSING);
        time.pass(MissingTopics.GRACE);
        answers.failure = null;

        topics.requirePartition(answers, "shop", 0);

        assertThat(topics.isKnown("shop", 0)).isTrue();
        topics.noteFailure("shop", new TimeoutException());
        answers.failure = unknown;
        time.pass(PAUSE);
        assertThat(kindNow()).as("another absence").isEqualTo(FailureKind.PASSING);
    }

    @Test
    void aTopicThatIsCreatedLaterIsUsed() {
        answers.failure = unknown;
        kindNow();
        time.pass(MissingTopics.GRACE);
        assertThat(kindNow()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        answers.failure = null;
        time.passSeconds(30);

        topics.requirePartition(answers, "shop", 0);

        assertThat(topics.isKnown("shop", 0)).isTrue();
    }

    /** A batch is handed over as a whole first, and then message by message: the brokers have been waited for already. */
    @Test
    void brokersAreNotAskedForTheSameTwice() {
        answers.failure = unreachable;
        kindNow();
        kindNow();

        assertThat(answers.asked).isEqualTo(1);
    }

    /** Every row of a table may be for it. */
    @Test
    void brokersAreNotAskedForEachMessageToAMissingTopic() {
        answers.failure = unknown;
        kindNow();
        time.pass(MissingTopics.GRACE);
        for (int i = 0; i < 20; i++) {
            assertThat(kindNow()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
            time.pass(PAUSE);
        }

        assertThat(answers.asked).isEqualTo(2);
    }

    @Test
    void brokersAreNotAskedForEachMessageToATopicThatTheUserMayNotSee() {
        answers.failure = new TopicAuthorizationException("not yours");
        for (int i = 0; i < 30; i++) {
            assertThat(kindNow()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
            time.pass(PAUSE);
        }
        assertThat(answers.asked).isEqualTo(1);

        answers.failure = null;
        topics.requirePartition(answers, "shop", 0);

        assertThat(topics.isKnown("shop", 0)).isTrue();
    }

    /** Each batch that a broker rejects costs a connection. */
    @Test
    void nothingIsSentForAWhileToATopicOfWhichABatchWasRejected() {
        topics.requirePartition(answers, "shop", 0);
        TopicAuthorizationException denied = new TopicAuthorizationException("not yours");

        topics.noteRejection("shop", denied);

        assertThat(topics.isKnown("shop", 0)).isFalse();
        assertThatThrownBy(() -> topics.requirePartition(answers, "shop", 0)).isSameAs(denied);
        time.passSeconds(5);
        topics.requirePartition(
                answers, "shop", 0); // the brokers tell of a topic that may be described, and not written to
        assertThat(topics.isKnown("shop", 0)).isTrue();
    }

    /** The user may not be allowed to see it any more. */
    @Test
    void brokersAreAskedAgainAboutATopicOfWhichKafkasProducerHasFoundThatItMayNotBeWrittenTo() {
        topics.requirePartition(answers, "shop", 0);
        answers.failure = new TopicAuthorizationException("not yours");

        topics.noteFailure("shop", answers.failure);

        assertThat(kindNow()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(kindNow()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(answers.asked).isEqualTo(2);
        answers.failure = null;
        time.passSeconds(5); // a retry with the longest pause is later
        topics.requirePartition(answers, "shop", 0);
        assertThat(topics.isKnown("shop", 0)).isTrue();
    }

    /** Logs and dead letters have the number. */
    @Test
    void eachMissingPartitionIsNamed() {
        answers.count = 3;
        kindNow(3);
        assertThatThrownBy(() -> topics.requirePartition(answers, "shop", 5))
                .hasMessageContaining("topic shop has no partition 5, it has 3");

        answers.count = 6;
        time.pass(MissingTopics.GRACE);
        assertThat(topics.partitionsOf(answers, "shop")).isEqualTo(6);
        topics.noteFailure("shop", new TimeoutException());
        answers.count = 3;
        assertThat(kindNow(4)).isEqualTo(FailureKind.PASSING);
        assertThatThrownBy(() -> topics.requirePartition(answers, "shop", 7))
                .as("one that it has never had, while it is not asked for")
                .isInstanceOf(NoSuchPartitionException.class)
                .hasMessageContaining("topic shop has no partition 7, it has 3");
    }

    @Test
    void brokersAreNotAskedForEachMessageToAPartitionThatIsMissing() {
        answers.count = 3;
        for (int i = 0; i < 30; i++) {
            assertThat(kindNow(3)).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
            time.pass(PAUSE);
        }
        assertThat(answers.asked).as("what is known, and whether it is so now").isEqualTo(2);
        topics.requirePartition(answers, "shop", 2);

        answers.count = 4;
        topics.requirePartition(answers, "shop", 3);

        assertThat(topics.isKnown("shop", 3)).isTrue();
    }

    /** The refusal is only of that partition and those after it. */
    @Test
    void aPartitionThatIsMissingKeepsNoOtherFromBeingAskedFor() {
        answers.count = 3;
        kindNow(3);
        topics.noteFailure("shop", new TimeoutException());

        topics.requirePartition(answers, "shop", 2);

        assertThat(topics.partitionsOf(answers, "shop")).isEqualTo(3);
    }

    /** A broker that lags behind the others states how many there were before some were added. */
    @Test
    void anAnswerWithFewerPartitionsThanBeforeIsNotBelievedAtOnce() {
        answers.count = 6;
        assertThat(topics.partitionsOf(answers, "shop")).isEqualTo(6);

        answers.count = 3;
        assertThat(kindNow(4)).isEqualTo(FailureKind.PASSING);
        time.pass(PAUSE);
        assertThat(kindNow(6)).as("one that it has never had").isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        time.pass(MissingTopics.GRACE.minus(PAUSE.multipliedBy(2)));
        assertThat(kindNow(4)).isEqualTo(FailureKind.PASSING);
        answers.count = 6;
        time.pass(PAUSE);
        topics.requirePartition(answers, "shop", 4);

        topics.noteFailure("shop", new TimeoutException());
        answers.count = 3;
        assertThat(kindNow(4)).as("another time").isEqualTo(FailureKind.PASSING);
        time.pass(MissingTopics.GRACE);
        assertThatThrownBy(() -> topics.requirePartition(answers, "shop", 4))
                .isInstanceOf(NoSuchPartitionException.class)
                .hasMessageContaining("topic shop has no partition 4, it has 3");
        time.pass(MissingTopics.GRACE);
        assertThat(kindNow(4)).as("it was made with fewer").isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
    }

    @Test
    void theNumberOfPartitionsIsUnknownAsLongAsNoMessageIsTaken() {
        Map<KafkaException, FailureKind> kinds = Map.of(
                unreachable,
                FailureKind.PASSING,
                new KafkaException("the metadata was closed"),
                FailureKind.PASSING,
                new SaslAuthenticationException("wrong password"),
                FailureKind.BROKEN,
                new TopicAuthorizationException("not yours"),
                FailureKind.TOPIC_UNAVAILABLE);
        kinds.forEach((failure, kind) -> {
            answers.failure = failure;
            assertThat(unknown("shop")).hasMessageContaining(failure.getMessage());
            assertThat(unknown("shop").kind()).isEqualTo(kind);
            time.pass(MissingTopics.GRACE);
        });
        assertThat(unknown("shop orders").kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);

        answers.failure = unknown;
        assertThat(unknown("shop").kind()).isEqualTo(FailureKind.PASSING);
        time.pass(MissingTopics.GRACE);
        assertThat(unknown("shop").kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        time.pass(MissingTopics.GRACE);
        answers.failure = null;
        assertThat(topics.partitionsOf(answers, "shop")).isEqualTo(1);
    }

    @Test
    void aLoginThatFailsWhenThePartitionsAreAskedForIsOne() {
        answers.failure = new SaslAuthenticationException("wrong password");

        assertThat(unknown("shop")).hasCauseInstanceOf(NotAdmittedException.class);
    }

    private PartitionsUnknownException unknown(String topic) {
        return catchThrowableOfType(PartitionsUnknownException.class, () -> topics.partitionsOf(answers, topic));
    }

    private FailureKind kindNow() {
        return kindNow(0);
    }

    private FailureKind kindNow(int partition) {
        try {
            topics.requirePartition(answers, "shop", partition);
        } catch (KafkaException e) {
            return KafkaErrors.kindOf(e);
        }
        throw new AssertionError("the partition exists");
    }
}
