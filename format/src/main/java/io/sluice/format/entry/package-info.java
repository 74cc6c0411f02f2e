/**
 * What a binlog becomes: entries, each an image of an event or encoded ahead, with their origins. It does not know the formats of
 * messages, nor where entries are kept or sent.
 */
@NullMarked
package io.sluice.format.entry;

import org.jspecify.annotations.NullMarked;
