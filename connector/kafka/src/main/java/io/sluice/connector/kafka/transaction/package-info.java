/** Sends messages in Kafka's transactions, so that a former owner cannot write any more. */
@NullMarked
package io.sluice.connector.kafka.transaction;

import org.jspecify.annotations.NullMarked;
