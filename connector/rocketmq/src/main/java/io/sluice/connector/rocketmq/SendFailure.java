package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.FailureKind;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * Why a request is not known to have been carried out.
 *
 * @param doubtful the queue that may still get its messages, later than now; null if it has them, or never gets them
 */
record SendFailure(
        Exception cause, FailureKind kind, @Nullable MessageQueue doubtful) {}
