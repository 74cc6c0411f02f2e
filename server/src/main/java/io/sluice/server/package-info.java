/** The server: all its instances, and the pools they share. It does not know how it was launched. */
@NullMarked
package io.sluice.server;

import org.jspecify.annotations.NullMarked;
