package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.FailureKind;

/**
 * Why a batch was not delivered.
 *
 * @param batchId the batch's id
 * @param cause what the producer said of its first record that failed
 * @param kind what that says of the next attempt
 */
public record DeliveryFailure(long batchId, Exception cause, FailureKind kind) {}
