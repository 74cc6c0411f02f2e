/**
 * The latency bench: the time from a commit to the consumer of a topic, at a fixed rate of changes that does not depend on the server.
 *
 * <p>Must not depend on how a bridge works, nor on the format of records: rows are found by a stamp.
 */
@NullMarked
package io.sluice.bench.latency;

import org.jspecify.annotations.NullMarked;
