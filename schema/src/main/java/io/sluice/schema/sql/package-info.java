/**
 * SQL texts as tokens, as a server with given traits reads them in the SQL mode of a session.
 *
 * <p>This package does not know any statement.
 */
@NullMarked
package io.sluice.schema.sql;

import org.jspecify.annotations.NullMarked;
