/** The cursors of an instance, kept over restarts. It does not know what is delivered, nor where. */
@NullMarked
package io.sluice.store.cursor;

import org.jspecify.annotations.NullMarked;
