package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.FailureKind;

/**
 * Why a record was not delivered.
 *
 * @param batchId the id of its batch
 * @param cause what the producer said
 * @param kind what that says of the next attempt
 */
public record DeliveryFailure(long batchId, Exception cause, FailureKind kind) {}
