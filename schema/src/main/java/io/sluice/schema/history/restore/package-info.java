/**
 * What a schema history shows of a position: the table schemas, and how far the DDL of a binlog is known.
 *
 * <p>This package only reads the history.
 */
@NullMarked
package io.sluice.schema.history.restore;

import org.jspecify.annotations.NullMarked;
