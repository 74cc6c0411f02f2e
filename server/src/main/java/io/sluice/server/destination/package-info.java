/**
 * The destinations of a server: which there are, and how the instance of each is made, started, stopped, restarted and retried. It
 * knows neither the callers that ask for that, nor the configuration of the server as a whole.
 *
 * <p>{@code DestinationRegistry} lists a {@code DestinationRunner} for each destination, which fills and empties its {@code InstanceSlot},
 * as its {@code Placement} allows: alone, or among other servers.
 * {@code DestinationStates} has what stays of a destination when its runner is removed.
 */
@NullMarked
package io.sluice.server.destination;

import org.jspecify.annotations.NullMarked;
