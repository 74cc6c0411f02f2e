/**
 * The port where clients pull: canal's TCP protocol over Netty. It does not know how an instance reads, nor what keeps the
 * cursors.
 */
@NullMarked
package io.sluice.server.tcp;

import org.jspecify.annotations.NullMarked;
