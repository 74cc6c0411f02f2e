/**
 * Reads the row changes out of the Kafka records that a bridge sent, and checks their order and their values.
 *
 * <p>Must not depend on the bridge that sent them.
 */
@NullMarked
package io.sluice.bench.record;

import org.jspecify.annotations.NullMarked;
