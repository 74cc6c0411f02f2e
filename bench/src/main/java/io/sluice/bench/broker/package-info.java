/**
 * A broker that speaks Kafka's protocol and keeps nothing, for what a bridge could send to an infinitely fast one.
 *
 * <p>Must not depend on the benches.
 */
@NullMarked
package io.sluice.bench.broker;

import org.jspecify.annotations.NullMarked;
