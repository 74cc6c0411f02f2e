/**
 * Checks a source beside its stream, on a connection of its own: whether it answers, where its binlog ends, and where its address leads. It does not know how
 * the stream is read.
 */
@NullMarked
package io.sluice.stream.source.watch;

import org.jspecify.annotations.NullMarked;
