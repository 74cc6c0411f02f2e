/** What the brokers know of topics: their partitions, and which are missing. */
@NullMarked
package io.sluice.connector.kafka.topic;

import org.jspecify.annotations.NullMarked;
