/**
 * What the machine can do at best: the binlog pulled from MySQL and thrown away, and the same records sent by Kafka's own
 * producer. No bridge can be faster than the slower of the two.
 *
 * <p>Does not know of bridges, nor what is in the records.
 */
@NullMarked
package io.sluice.bench.limit;

import org.jspecify.annotations.NullMarked;
