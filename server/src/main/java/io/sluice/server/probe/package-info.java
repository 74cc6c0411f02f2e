/**
 * Tries what instances need before they are started: their sources, the broker, ZooKeeper. It only reads, and does not know how
 * findings are shown.
 */
@NullMarked
package io.sluice.server.probe;

import org.jspecify.annotations.NullMarked;
