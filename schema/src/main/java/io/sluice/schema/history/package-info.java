/**
 * The schema history: what changed table schemas, and where in the binlog, in canal's two tables, so that the table schemas of
 * any position can be told after a restart.
 *
 * <p>This room does not know events or how a binlog is read. It is the only one that knows SQLite, and H2, from which
 * it takes over the files of earlier versions.
 */
@NullMarked
package io.sluice.schema.history;

import org.jspecify.annotations.NullMarked;
