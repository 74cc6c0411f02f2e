package io.sluice.connector.kafka.probe;

import io.sluice.connector.kafka.failure.KafkaErrors;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.jspecify.annotations.Nullable;

/** Answers of Kafka's admin client, and texts of a probe about them. */
final class AdminAnswers {
    private AdminAnswers() {}

    /**
     * Waits for an answer.
     *
     * @param answer is null if there was none to this question
     * @throws KafkaException if the broker, or the client, has failed
     */
    static <T> T get(@Nullable KafkaFuture<T> answer) throws InterruptedException {
        if (answer == null) {
            throw new KafkaException("the brokers did not answer that");
        }
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KafkaException failure) {
                throw failure;
            }
            throw new KafkaException(e.getCause());
        }
    }

    /** The message of a failure, with what is known of its cause. */
    static String explained(KafkaException failure) {
        return String.valueOf(KafkaErrors.explained(failure).getMessage());
    }

    /** A number with its noun, which is in the plural unless the number is one. */
    static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
