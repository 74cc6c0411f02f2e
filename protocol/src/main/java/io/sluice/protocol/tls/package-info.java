/**
 * Key stores and PEM files, and the TLS managers that are made of them. It does not know connections: which TLS versions are used and
 * whether a host name is verified is decided by its callers.
 */
@NullMarked
package io.sluice.protocol.tls;

import org.jspecify.annotations.NullMarked;
