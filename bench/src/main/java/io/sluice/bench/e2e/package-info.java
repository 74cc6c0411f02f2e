/**
 * The end-to-end bench: a real MySQL, a real Kafka, and bridges between them that take turns. Each run is measured until the last
 * change has arrived, and what arrived is checked.
 *
 * <p>Must not depend on how a bridge works: a server is started from its package like an operator starts it.
 */
@NullMarked
package io.sluice.bench.e2e;

import org.jspecify.annotations.NullMarked;
