/** Sends messages to Kafka. It does not know what is in a message, nor the store. */
@NullMarked
package io.sluice.connector.kafka;

import org.jspecify.annotations.NullMarked;
