package io.sluice.connector.api.deliver;

/**
 * Why a batch was not delivered.
 *
 * @param batchId the batch's id
 * @param cause what the producer said of its first record that failed
 * @param retriable whether it may go well the next time
 */
public record DeliveryFailure(long batchId, Exception cause, boolean retriable) {}
