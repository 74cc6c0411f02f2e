/**
 * A configuration as a whole, as records: the server, in {@link io.sluice.server.config.server}, and its instances, in {@link
 * io.sluice.server.config.instance}. Like these it does not know keys or files.
 */
@NullMarked
package io.sluice.server.config;

import org.jspecify.annotations.NullMarked;
