/**
 * The stages of an instance without MySQL and a broker: from a recorded binlog to a producer that acknowledges at once.
 *
 * <p>Must not depend on a running server; the wiring is that of the server.
 */
@NullMarked
package io.sluice.bench.stage;

import org.jspecify.annotations.NullMarked;
