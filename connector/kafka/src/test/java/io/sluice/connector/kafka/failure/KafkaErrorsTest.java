package io.sluice.connector.kafka.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import java.io.IOException;
import java.util.List;
import javax.security.auth.login.LoginException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.IllegalSaslStateException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.junit.jupiter.api.Test;

class KafkaErrorsTest {
    @Test
    void tellsWhatIsOfTheMessageFromWhatIsOfAll() {
        assertThat(KafkaErrors.kindOf(new TimeoutException("later"))).isEqualTo(FailureKind.PASSING);
        assertThat(KafkaErrors.kindOf(new RecordTooLargeException("large"))).isEqualTo(FailureKind.TOO_LARGE);
        assertThat(KafkaErrors.kindOf(new InvalidTopicException("a b"))).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(KafkaErrors.kindOf(new TopicAuthorizationException("shop")))
                .isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(KafkaErrors.kindOf(new NoSuchPartitionException("shop", 3, 3)))
                .isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(KafkaErrors.kindOf(new InvalidRecordException("no key"))).isEqualTo(FailureKind.INVALID);
        assertThat(KafkaErrors.kindOf(new TransactionalIdAuthorizationException("t")))
                .isEqualTo(FailureKind.BROKEN);
        assertThat(KafkaErrors.kindOf(new InvalidTxnTimeoutException("long"))).isEqualTo(FailureKind.BROKEN);
        assertThat(KafkaErrors.kindOf(new KafkaException("wrapped", new ProducerFencedException("later one"))))
                .isEqualTo(FailureKind.BROKEN);
    }

    @Test
    void saysWhichKeyToChange() {
        assertThat(KafkaErrors.explained(new SaslAuthenticationException("Authentication failed")))
                .hasMessageContainingAll("kafka.sasl.jaas.config", "Authentication failed")
                .hasRootCauseInstanceOf(SaslAuthenticationException.class);
        assertThat(KafkaErrors.explained(new SslAuthenticationException("SSL handshake failed")))
                .hasMessageContaining("kafka.ssl.truststore");
        TimeoutException clear = new TimeoutException("Topic shop not present in metadata after 10000 ms.");
        assertThat(KafkaErrors.explained(clear)).isSameAs(clear);
    }

    /** Brokers have one answer for a wrong password and for a server of accounts that is down, and certificates are renewed. */
    @Test
    void aLoginMayPassUnlessTheBrokerDoesNotEvenTryIt() {
        assertThat(mayPass(new SaslAuthenticationException("invalid credentials")))
                .isTrue();
        assertThat(mayPass(new SslAuthenticationException("SSL handshake failed")))
                .isTrue();
        assertThat(mayPass(new KafkaException("wrapped", new SaslAuthenticationException("invalid_token"))))
                .isTrue();
        assertThat(mayPass(new UnsupportedSaslMechanismException("PLAIN"))).isFalse();
        assertThat(mayPass(new IllegalSaslStateException("another protocol"))).isFalse();
    }

    private static boolean mayPass(Exception failure) {
        SendFailure told = KafkaErrors.classify(failure);
        assertThat(told.kind()).isEqualTo(FailureKind.BROKEN);
        assertThat(told.cause()).isInstanceOf(NotAdmittedException.class);
        return told.cause() instanceof NotAdmittedException refused && refused.mayPass();
    }

    @Test
    void aLoginThatCannotBePreparedIsOneThatMayPass() {
        LoginException noToken = new LoginException("An internal error occurred while retrieving token");
        noToken.initCause(new IOException("Connection refused"));

        NotAdmittedException refused = ofPreparation(new KafkaException("failed", new KafkaException(noToken)));

        assertThat(refused).hasMessageContainingAll("kafka.sasl.", "retrieving token", "Connection refused");
        assertThat(refused.mayPass()).isTrue();
        assertThat(KafkaErrors.classify(refused)).isEqualTo(new SendFailure(refused, FailureKind.BROKEN));
    }

    private static NotAdmittedException ofPreparation(KafkaException failure) {
        return KafkaErrors.ofPreparation(failure, text -> text.replace("xyzzy", "***"));
    }

    /** What gives out tokens may quote the login. */
    @Test
    void aSecretThatIsQuotedIsNotTold() {
        LoginException noToken =
                new LoginException("java.io.IOException: {\"invalid_client\" - \"bad xyzzy\"}\n\tat A");
        noToken.initCause(new IOException("xyzzy"));

        NotAdmittedException refused = ofPreparation(new KafkaException("failed", new KafkaException(noToken)));

        assertThat(refused).hasMessageEndingWith("\"bad ***\"}: ***");
        for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
            assertThat(cause.toString()).doesNotContain("xyzzy");
        }
    }

    /** The JDK makes a text of an exception that a login has thrown and is none of its own. */
    @Test
    void aStackTraceIsNotTold() {
        LoginException noToken = new LoginException(
                "org.apache.kafka.common.KafkaException: java.net.ConnectException: Connection refused\n"
                        + "\tat org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule.login(A.java:1)");

        assertThat(ofPreparation(new KafkaException(noToken)))
                .hasMessageEndingWith("java.net.ConnectException: Connection refused");
    }

    @Test
    void optionsThatAreWrongAreNoLogin() {
        assertThat(ofPreparation(new KafkaException("failed", new ConfigException("no such option"))))
                .isNull();
        for (String text : List.of(
                "No LoginModule found for com.example.Login",
                "java.lang.ClassCastException: class java.lang.String cannot be cast to class javax.security.auth.spi.LoginModule (",
                "java.lang.InstantiationException\n\tat A",
                "Configuration Error - useKeyTab should be set to true to use the keytab/no/such.keytab")) {
            KafkaException wrong = new KafkaException(new LoginException(text));
            assertThat(ofPreparation(wrong)).as(text).isNull();
            assertThat(text).startsWith(KafkaErrors.reasonOfLogin(wrong));
        }
        assertThat(ofPreparation(new KafkaException(new LoginException("java.lang.ClassCastException: a token"))))
                .isNotNull();
    }

    /** Kafka's client makes invalid records of several in one batch. */
    @Test
    void aTimeThatTheBrokerRejectsPassesAndNamesTheClocks() {
        for (Exception failure : List.of(
                new InvalidTimestampException("One or more records have been rejected due to invalid timestamp"),
                new InvalidRecordException(
                        "Timestamp 9 of message with offset 0 is out of range. The timestamp should be within [1, 2]"))) {
            assertThat(KafkaErrors.kindOf(failure)).isEqualTo(FailureKind.PASSING);
            assertThat(KafkaErrors.kindOf(KafkaErrors.explained(failure))).isEqualTo(FailureKind.PASSING);
            assertThat(KafkaErrors.mayBeOfOneRecord(failure)).isFalse();
            assertThat(KafkaErrors.explained(failure))
                    .hasMessageContaining("the clock of this server and that of the broker differ");
        }
    }

    @Test
    void suspectsARecordBesideAnInvalidOne() {
        assertThat(KafkaErrors.mayBeOfOneRecord(new InvalidRecordException("no key")))
                .isTrue();
        assertThat(KafkaErrors.mayBeOfOneRecord(new KafkaException("it was part of a batch with an invalid record")))
                .isTrue();
        assertThat(KafkaErrors.mayBeOfOneRecord(new TimeoutException("later"))).isFalse();
    }

    /** Kafka counts all of these among the wrong configurations. */
    @Test
    void whatIsWrongWithOneTopicIsNotWrongWithAll() {
        assertThat(KafkaErrors.kindOf(new InvalidTopicException("no such topic!")))
                .isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(KafkaErrors.kindOf(new TopicAuthorizationException("orders")))
                .isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(KafkaErrors.kindOf(new AuthorizationException("no"))).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
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
