/**
 * The definitions of tables and columns in {@code CREATE TABLE} and {@code ALTER TABLE}: what the texts say, and the table schemas that follow.
 *
 * <p>This package does not know other statements, nor which tables there are.
 */
@NullMarked
package io.sluice.schema.definition;

import org.jspecify.annotations.NullMarked;
