package io.sluice.connector.rocketmq;

import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.FailureKind;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * Why a request is not known to have been carried out.
 *
 * @param doubtful the queue that may still get its messages, later than now; null if it has them, or never gets them
 */
record RequestFailure(SendFailure failure, @Nullable MessageQueue doubtful) {
    RequestFailure(Exception cause, FailureKind kind, @Nullable MessageQueue doubtful) {
        this(new SendFailure(cause, kind), doubtful);
    }

    Exception cause() {
        return failure.cause();
    }

    FailureKind kind() {
        return failure.kind();
    }
}
