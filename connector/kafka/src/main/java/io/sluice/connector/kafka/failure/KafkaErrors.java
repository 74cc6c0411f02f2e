package io.sluice.connector.kafka.failure;

import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.login.LoginException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.IllegalSaslStateException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/** Classifies failures: those that pass by themselves, and those that need an operator, with the remedy. */
public final class KafkaErrors {
    private static final List<Class<? extends Exception>> BROKEN = List.of(
            AuthenticationException.class,
            ClusterAuthorizationException.class,
            TransactionalIdAuthorizationException.class,
            InvalidTxnTimeoutException.class,
            ProducerFencedException.class,
            SerializationException.class,
            UnsupportedCompressionTypeException.class,
            UnsupportedForMessageFormatException.class,
            UnsupportedVersionException.class,
            IllegalStateException.class); // the producer was closed

    private static final List<Class<? extends Exception>> TOO_LARGE =
            List.of(RecordBatchTooLargeException.class, RecordTooLargeException.class);

    private static final List<Class<? extends Exception>> INVALID = List.of(InvalidRecordException.class);

    private static final List<Class<? extends Exception>> TOPIC_UNAVAILABLE = List.of(
            AuthorizationException.class,
            InvalidTopicException.class,
            NoSuchPartitionException.class,
            NoSuchTopicException.class,
            PolicyViolationException.class);

    /** What brokers answer to a client that they understand and whose login they cannot even try. They have one answer for a wrong password and for a server of accounts that is down. */
    private static final List<Class<? extends Exception>> LASTING =
            List.of(IllegalSaslStateException.class, UnsupportedSaslMechanismException.class);

    /** Exceptions whose messages do not state the remedy. */
    private static final List<Advice> ADVICE = List.of(
            new Advice(
                    SslAuthenticationException.class,
                    "no TLS connection to the brokers: check that kafka.ssl.truststore.* trusts their certificate, that it"
                            + " names the hosts of kafka.bootstrap.servers, and kafka.ssl.keystore.* if they ask for ours"),
            new Advice(
                    UnsupportedSaslMechanismException.class,
                    "authentication failed: set kafka.sasl.mechanism to one that the brokers have for the port of kafka.bootstrap.servers"),
            new Advice(
                    IllegalSaslStateException.class,
                    "authentication failed: check that kafka.security.protocol is that of the port of kafka.bootstrap.servers"),
            new Advice(
                    AuthenticationException.class,
                    "authentication failed: check kafka.sasl.mechanism, and user and password in"
                            + " kafka.sasl.jaas.config, or the files of kafka.kerberos.*; or start what the brokers ask for logins, if that is down"),
            new Advice(
                    TransactionalIdAuthorizationException.class,
                    "the user may not use transactions: grant it Write and Describe on the transactional id, or change"
                            + " kafka.transactional.id"),
            new Advice(
                    InvalidTxnTimeoutException.class,
                    "lower kafka.transaction.timeout.ms, or raise the brokers' transaction.max.timeout.ms"),
            new Advice(
                    ClusterAuthorizationException.class,
                    "the user may not write to the cluster: grant it IdempotentWrite on the cluster, or set"
                            + " kafka.enable.idempotence=false"));

    /** How the JDK's text begins for a class that is not there or is none of a login, and for options of a login that are wrong. */
    private static final Pattern WRONG_LOGIN = Pattern.compile("(No|unable to (find|instantiate)) LoginModule"
            + "|java\\.lang\\.InstantiationException"
            + "|java\\.lang\\.ClassCastException: class \\S+ cannot be cast to class javax\\.security\\.auth\\.spi\\.LoginModule"
            + "|Configuration Error");

    private static final String OTHER_CLOCK =
            "the clock of this server and that of the broker differ: synchronize both, or see message.timestamp.after.max.ms and"
                    + " message.timestamp.before.max.ms of the topic";

    private record Advice(Class<? extends Exception> failure, String text) {}

    private KafkaErrors() {}

    /** What went wrong, explained, and what it means for the next attempt. */
    public static SendFailure classify(Exception failure) {
        return new SendFailure(explained(failure), kindOf(failure));
    }

    /** What a failure means for the next attempt. Unknown failures are passing: they are retried with a back-off. */
    public static FailureKind kindOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof NotAdmittedException || isAny(BROKEN, cause)) {
                return FailureKind.BROKEN;
            }
            if (isAny(TOO_LARGE, cause)) {
                return FailureKind.TOO_LARGE;
            }
            if (isOfTime(cause)) {
                return FailureKind.PASSING; // each attempt has other times
            }
            if (isAny(INVALID, cause)) {
                return FailureKind.INVALID;
            }
            if (isAny(TOPIC_UNAVAILABLE, cause)) {
                return FailureKind.TOPIC_UNAVAILABLE;
            }
            if (cause instanceof InvalidConfigurationException) { // last, since some of the others are such, too
                return FailureKind.BROKEN;
            }
        }
        return FailureKind.PASSING;
    }

    /** Whether a record may be rejected again if it is sent again; of those beside an invalid one brokers report no more. */
    public static boolean mayBeOfOneRecord(Exception failure) {
        return kindOf(failure).isOfOneMessage()
                || (failure.getClass() == KafkaException.class && failure.getCause() == null);
    }

    /**
     * Whether the broker rejects the time of a record. If it rejects those of several records of a batch, Kafka's client makes an invalid record of each, with
     * the words of the broker.
     */
    private static boolean isOfTime(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return failure instanceof InvalidTimestampException
                || failure instanceof InvalidRecordException
                        && message.startsWith("Timestamp ")
                        && message.contains(" is out of range");
    }

    private static boolean isAny(List<Class<? extends Exception>> types, Throwable failure) {
        return types.stream().anyMatch(type -> type.isInstance(failure));
    }

    /** The failure itself; if it does not name the key to change, an exception that does, with the failure as its cause. */
    public static Exception explained(Exception failure) {
        if (failure instanceof NotAdmittedException) {
            return failure;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (isOfTime(cause)) {
                return new KafkaException(OTHER_CLOCK + ": " + cause.getMessage(), failure);
            }
        }
        for (Advice advice : ADVICE) {
            Throwable cause = find(advice.failure(), failure);
            if (cause != null) {
                String text = advice.text() + ": " + cause.getMessage();
                return cause instanceof AuthenticationException
                        ? notAdmitted(text, cause, failure)
                        : new KafkaException(text, failure);
            }
        }
        return failure;
    }

    private static NotAdmittedException notAdmitted(String text, Throwable cause, Exception failure) {
        return isAny(LASTING, cause)
                ? new NotAdmittedException(text, failure)
                : NotAdmittedException.thatMayPass(text, failure);
    }

    /**
     * That a client cannot be made for now, since its login needs something first that it does not get, such as a token or a ticket; null if that is not the cause.
     *
     * @param masked takes what is secret out of a text: what gives out tokens may quote it
     */
    public static @Nullable NotAdmittedException ofPreparation(KafkaException failure, UnaryOperator<String> masked) {
        Throwable cause = find(LoginException.class, failure);
        if (cause == null
                || WRONG_LOGIN.matcher(String.valueOf(cause.getMessage())).lookingAt()) {
            return null;
        }
        return NotAdmittedException.thatMayPass(
                "no login could be prepared: check kafka.sasl.* and the files of kafka.kerberos.*; or start what gives out tokens or tickets, if that is down: "
                        + masked.apply(reasonOf(cause)),
                withoutSecrets(failure, masked));
    }

    /** Why a login could not be prepared; null if that is not the cause of the failure. */
    public static @Nullable String reasonOfLogin(KafkaException failure) {
        Throwable cause = find(LoginException.class, failure);
        return cause == null ? null : reasonOf(cause);
    }

    /** The failure itself, or one that does not quote what is secret. */
    private static Exception withoutSecrets(Exception failure, UnaryOperator<String> masked) {
        boolean isQuoting = Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
                .map(String::valueOf)
                .anyMatch(text -> !text.equals(masked.apply(text)));
        if (!isQuoting) {
            return failure;
        }
        KafkaException shown = new KafkaException(masked.apply(reasonOf(failure)));
        shown.setStackTrace(failure.getStackTrace());
        return shown;
    }

    /** What Kafka says of a token that it does not get is in a cause of the JDK's exception, which has other words, or in its text, before a stack trace. */
    private static String reasonOf(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .map(cause ->
                        String.valueOf(cause.getMessage()).lines().findFirst().orElse(""))
                .distinct()
                .collect(Collectors.joining(": "));
    }

    /** Whether a broker has seen a later producer of the same transactional id, or has aborted a transaction by itself. */
    public static boolean isFenced(Throwable failure) {
        return find(ProducerFencedException.class, failure) != null
                || find(InvalidProducerEpochException.class, failure) != null;
    }

    private static @Nullable Throwable find(Class<? extends Exception> type, Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !type.isInstance(cause)) {
            cause = cause.getCause();
        }
        return cause;
    }
}
