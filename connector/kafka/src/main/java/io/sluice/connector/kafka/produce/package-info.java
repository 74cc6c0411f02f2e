/**
 * Sends record batches as an idempotent producer, over Kafka's network client: one thread per connection, which keeps order and
 * sequence numbers, and retries. It does not know how failures are classified, nor what happens to messages that failed.
 */
@NullMarked
package io.sluice.connector.kafka.produce;

import org.jspecify.annotations.NullMarked;
