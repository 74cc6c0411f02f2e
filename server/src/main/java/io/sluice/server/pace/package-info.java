/**
 * Pauses and rate limits of an instance: what of its store may be delivered now. It does not know how entries are delivered.
 */
@NullMarked
package io.sluice.server.pace;

import org.jspecify.annotations.NullMarked;
