/**
 * How a server shares its destinations with others, and its access to ZooKeeper.
 */
@NullMarked
package io.sluice.server.config.cluster;

import org.jspecify.annotations.NullMarked;
