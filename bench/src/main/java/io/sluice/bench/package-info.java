/**
 * The command line of the benches.
 *
 * <p>Nothing but the scripts uses it.
 */
@NullMarked
package io.sluice.bench;

import org.jspecify.annotations.NullMarked;
