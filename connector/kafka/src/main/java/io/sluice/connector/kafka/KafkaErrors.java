package io.sluice.connector.kafka;

import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Tells the failures that pass by themselves from those that somebody must act on. */
final class KafkaErrors {
    private static final List<Class<? extends Exception>> FOR_GOOD = List.of(
            AuthenticationException.class,
            AuthorizationException.class,
            InvalidConfigurationException.class,
            InvalidRecordException.class,
            InvalidTopicException.class,
            PolicyViolationException.class,
            ProducerFencedException.class,
            RecordBatchTooLargeException.class,
            RecordTooLargeException.class,
            SerializationException.class,
            UnsupportedCompressionTypeException.class,
            UnsupportedForMessageFormatException.class,
            UnsupportedVersionException.class,
            IllegalStateException.class); // the producer was closed

    private KafkaErrors() {}

    /** Whether the same record may go well the next time. What we do not know is tried again, with a growing pause. */
    static boolean isRetriable(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            for (Class<? extends Exception> forGood : FOR_GOOD) {
                if (forGood.isInstance(cause)) {
                    return false;
                }
            }
        }
        return true;
    }
}
