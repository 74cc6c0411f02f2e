package io.sluice.connector.kafka;

import io.sluice.connector.api.producer.FailureKind;
import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Tells the failures that pass by themselves from those that somebody must act on. */
final class KafkaErrors {
    private static final List<Class<? extends Exception>> BROKEN = List.of(
            AuthenticationException.class,
            ClusterAuthorizationException.class,
            TransactionalIdAuthorizationException.class,
            ProducerFencedException.class,
            SerializationException.class,
            UnsupportedCompressionTypeException.class,
            UnsupportedForMessageFormatException.class,
            UnsupportedVersionException.class,
            IllegalStateException.class); // the producer was closed

    private static final List<Class<? extends Exception>> TOO_LARGE =
            List.of(RecordBatchTooLargeException.class, RecordTooLargeException.class);

    private static final List<Class<? extends Exception>> REFUSED = List.of(
            AuthorizationException.class,
            InvalidRecordException.class,
            InvalidTopicException.class,
            PolicyViolationException.class);

    private KafkaErrors() {}

    /** What a failure says of the next attempt. What we do not know is tried again, with a growing pause. */
    static FailureKind kindOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (isAny(BROKEN, cause)) {
                return FailureKind.BROKEN;
            }
            if (isAny(TOO_LARGE, cause)) {
                return FailureKind.TOO_LARGE;
            }
            if (isAny(REFUSED, cause)) {
                return FailureKind.REFUSED;
            }
            if (cause instanceof InvalidConfigurationException) { // which those above are, too
                return FailureKind.BROKEN;
            }
        }
        return FailureKind.PASSING;
    }

    private static boolean isAny(List<Class<? extends Exception>> types, Throwable failure) {
        return types.stream().anyMatch(type -> type.isInstance(failure));
    }
}
