/** The settings of a Kafka producer, Sluice's own and those of Kafka's clients; they are read, checked and completed here. */
@NullMarked
package io.sluice.connector.kafka.settings;

import org.jspecify.annotations.NullMarked;
