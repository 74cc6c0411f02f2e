/** Sends messages by Kafka's own producer ({@code kafka.sluice.producer=client}). */
@NullMarked
package io.sluice.connector.kafka.client;

import org.jspecify.annotations.NullMarked;
