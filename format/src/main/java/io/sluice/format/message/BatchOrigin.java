package io.sluice.format.message;

/**
 * The batch that messages are sent with.
 *
 * @param id the number of the batch
 * @param builtAtMillis when the batch was converted, in milliseconds since the epoch
 */
public record BatchOrigin(long id, long builtAtMillis) {}
