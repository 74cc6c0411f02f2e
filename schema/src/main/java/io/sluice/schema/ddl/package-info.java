/**
 * Statements of the stream: how their text is read, and how they change the table schemas.
 *
 * <p>This package does not know binlog events, connections or where a history of schemas is kept: it is given the text
 * of statements, and a function that asks the source for a table's definition.
 */
@NullMarked
package io.sluice.schema.ddl;

import org.jspecify.annotations.NullMarked;
