/**
 * Addresses: which servers may be connected to (names are resolved once, and link-local, multicast and similar addresses are rejected), and
 * the network that a client counts as. Depends on nothing else of the admin server.
 */
@NullMarked
package io.sluice.admin.address;

import org.jspecify.annotations.NullMarked;
