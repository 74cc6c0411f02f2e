/**
 * The latency bench: how long after a commit its rows can be read from Kafka, at a steady rate of changes that does not wait for
 * whatever is slow.
 *
 * <p>Does not know how the server works inside, nor what a record looks like: rows are found by a stamp.
 */
@NullMarked
package io.sluice.bench.latency;

import org.jspecify.annotations.NullMarked;
