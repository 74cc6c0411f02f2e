/**
 * Keeps the entries of one large transaction in a file until it ends: {@link io.sluice.stream.spill.SpilledEntries}. Must not know where
 * entries come from, nor which of them the source rolls back. Internal to this module.
 */
@NullMarked
package io.sluice.stream.spill;

import org.jspecify.annotations.NullMarked;
