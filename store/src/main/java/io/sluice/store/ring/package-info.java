/**
 * The bounded ring of entries between a parser and its reader. It does not know what puts, what reads, or where a cursor is
 * kept.
 */
@NullMarked
package io.sluice.store.ring;

import org.jspecify.annotations.NullMarked;
