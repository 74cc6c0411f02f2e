/**
 * Takes over changes of the configuration while a server runs. It decides what has changed, and does not know how a server runs
 * destinations.
 */
@NullMarked
package io.sluice.server.reload;

import org.jspecify.annotations.NullMarked;
