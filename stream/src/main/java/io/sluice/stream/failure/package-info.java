/** The exceptions that end a stream, with what failed and where in the binlog. It does not know how events are read. */
@NullMarked
package io.sluice.stream.failure;

import org.jspecify.annotations.NullMarked;
