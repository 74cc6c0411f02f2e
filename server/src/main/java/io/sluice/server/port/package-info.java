/**
 * What our listening ports share: how they are protected, how many connections there may be, and how it is said why one was
 * closed. It does not know what is spoken there.
 */
@NullMarked
package io.sluice.server.port;

import org.jspecify.annotations.NullMarked;
