/** Failures of Kafka: what passes by itself, what needs an operator, and the remedy. */
@NullMarked
package io.sluice.connector.kafka.failure;

import org.jspecify.annotations.NullMarked;
