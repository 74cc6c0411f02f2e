/**
 * The stage bench: a recorded binlog through reader, encoders, store, sender and converters, in one process and with no broker,
 * so that what we do ourselves is seen without what a broker costs.
 *
 * <p>Does not know Kafka. The parts are the real ones, with the settings that are shipped; only where they end is ours.
 */
@NullMarked
package io.sluice.bench.stage;

import org.jspecify.annotations.NullMarked;
