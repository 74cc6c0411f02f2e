/**
 * The server: wires what the other packages have, starts and stops it. It does not know how it was launched.
 *
 * <p>{@code SluiceServer} owns the parts. {@code ServerStatus} has their state, {@code ServerOperations} carries out what an operator
 * requests, {@code ReloadApplier} what a reload changes, and {@code ServerPorts} opens and closes its listening ports.
 */
@NullMarked
package io.sluice.server;

import org.jspecify.annotations.NullMarked;
