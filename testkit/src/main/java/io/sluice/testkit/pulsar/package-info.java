/**
 * Starts a real Pulsar broker on free ports, and reads what its topics hold.
 *
 * <p>Does not know what the messages mean.
 */
@NullMarked
package io.sluice.testkit.pulsar;

import org.jspecify.annotations.NullMarked;
