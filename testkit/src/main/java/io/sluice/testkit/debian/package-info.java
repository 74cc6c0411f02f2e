/**
 * Fetches servers from Debian's archive into a folder of the build, or says why they cannot be had.
 *
 * <p>Does not know how they are started.
 */
@NullMarked
package io.sluice.testkit.debian;

import org.jspecify.annotations.NullMarked;
