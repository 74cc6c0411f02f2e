/** How far an instance's entries were acked, kept over restarts. It does not know what is delivered, nor to whom. */
@NullMarked
package io.sluice.store.cursor;

import org.jspecify.annotations.NullMarked;
