/** Cursors in the file {@code meta.dat} of a destination, as canal writes it. */
@NullMarked
package io.sluice.store.cursor.file;

import org.jspecify.annotations.NullMarked;
