/**
 * Starts a real Kafka broker on a free port, and reads what its topics hold.
 *
 * <p>Does not know what the records mean.
 */
@NullMarked
package io.sluice.testkit.kafka;

import org.jspecify.annotations.NullMarked;
