package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.FailureKind;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class KafkaErrorsTest {
    /** Kafka counts all of these among the wrong configurations. */
    @Test
    void whatIsWrongWithOneTopicIsNotWrongWithAll() {
        assertThat(KafkaErrors.kindOf(new InvalidTopicException("no such topic!")))
                .isEqualTo(FailureKind.REFUSED);
        assertThat(KafkaErrors.kindOf(new TopicAuthorizationException("orders")))
                .isEqualTo(FailureKind.REFUSED);
        assertThat(KafkaErrors.kindOf(new AuthorizationException("no"))).isEqualTo(FailureKind.REFUSED);
        assertThat(KafkaErrors.kindOf(new ClusterAuthorizationException("no"))).isEqualTo(FailureKind.BROKEN);
        assertThat(KafkaErrors.kindOf(new SaslAuthenticationException("no"))).isEqualTo(FailureKind.BROKEN);
        assertThat(KafkaErrors.kindOf(new InvalidConfigurationException("no"))).isEqualTo(FailureKind.BROKEN);
    }

    @Test
    void theCauseCountsToo() {
        assertThat(KafkaErrors.kindOf(new KafkaException(new RecordTooLargeException())))
                .isEqualTo(FailureKind.TOO_LARGE);
        assertThat(KafkaErrors.kindOf(new KafkaException(new TimeoutException())))
                .isEqualTo(FailureKind.PASSING);
    }
}
