/**
 * The databases that a schema history can be in: how each is located, opened and written, and which tables it has. In a server only this package uses
 * SQLite, and H2, from which it imports the files of canal.
 *
 * <p>This package knows nothing of the rows of a history, and does not depend on {@code schema.history}.
 */
@NullMarked
package io.sluice.schema.history.database;

import org.jspecify.annotations.NullMarked;
