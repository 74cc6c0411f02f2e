/** The cursors of an instance and of its clients, kept over restarts, wherever they are written. It does not know what is delivered, nor where. */
@NullMarked
package io.sluice.store.cursor;

import org.jspecify.annotations.NullMarked;
