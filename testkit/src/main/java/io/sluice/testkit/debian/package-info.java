/**
 * Fetches servers from Debian's archive into a folder of the build, or reports why they are not available.
 *
 * <p>Does not know how they are started.
 */
@NullMarked
package io.sluice.testkit.debian;

import org.jspecify.annotations.NullMarked;
