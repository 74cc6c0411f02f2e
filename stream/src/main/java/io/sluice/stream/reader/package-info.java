/**
 * The reader, which does what must be serial: {@link io.sluice.stream.reader.EventReader} fills chunks with events and their entries,
 * tracks the position, and holds back transactions that are not decided. It does not know how a source is reached, nor what
 * becomes of a chunk. Internal to this module.
 */
@NullMarked
package io.sluice.stream.reader;

import org.jspecify.annotations.NullMarked;
