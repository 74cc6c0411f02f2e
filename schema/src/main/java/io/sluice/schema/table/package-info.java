/**
 * The schemas of tables: their names and columns, and the {@code CREATE TABLE} texts that store them.
 *
 * <p>This package reads no SQL, and does not know what changes a table.
 */
@NullMarked
package io.sluice.schema.table;

import org.jspecify.annotations.NullMarked;
