/** The schemas a stream begins with: the history is opened, gaps are read from the binlog, the source is asked. */
@NullMarked
package io.sluice.stream.source.schema;

import org.jspecify.annotations.NullMarked;
