package io.sluice.connector.api.deliver.failure;

import io.sluice.connector.api.producer.FailureKind;

/**
 * Why a message was not delivered.
 *
 * @param batchId the id of its batch
 * @param cause the producer's exception
 * @param kind what that means for the next attempt
 */
public record DeliveryFailure(long batchId, Exception cause, FailureKind kind) {}
