/**
 * Programs that carry changes from MySQL to Kafka, and what they are asked to do: Sluice from its package, and other products by a script.
 *
 * <p>Must not depend on how a run is measured.
 */
@NullMarked
package io.sluice.bench.bridge;

import org.jspecify.annotations.NullMarked;
