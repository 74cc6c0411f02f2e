/** Sends records to Kafka. It does not know what is in a record, nor the store. */
@NullMarked
package io.sluice.connector.kafka;

import org.jspecify.annotations.NullMarked;
