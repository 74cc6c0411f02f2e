/** The table schemas of a stream at its start, and where it is moved: the history is opened, gaps are read from the binlog, the source is asked. */
@NullMarked
package io.sluice.stream.source.schema;

import org.jspecify.annotations.NullMarked;
