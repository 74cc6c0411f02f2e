/** What the store holds. It does not know where an entry came from, nor what reads it. */
@NullMarked
package io.sluice.store.entry;

import org.jspecify.annotations.NullMarked;
