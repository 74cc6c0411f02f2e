/**
 * The end-to-end bench: a real MySQL, a real Kafka, and between them one bridge after the other, each timed until the last
 * change has arrived, and checked.
 *
 * <p>Does not know how a bridge works inside: ours is started as an operator starts it, from its package.
 */
@NullMarked
package io.sluice.bench.e2e;

import org.jspecify.annotations.NullMarked;
