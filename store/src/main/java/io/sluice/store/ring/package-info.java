/**
 * The bounded ring of entries between an instance's reader, which puts, and its sender or its clients, which get and ack. It knows
 * neither of them, nor where a cursor is kept.
 */
@NullMarked
package io.sluice.store.ring;

import org.jspecify.annotations.NullMarked;
