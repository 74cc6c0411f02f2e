/**
 * The rows and snapshots of a schema history in canal's two tables: how they are stored, and in which order their positions are.
 *
 * <p>This package does not know how table schemas follow from them.
 */
@NullMarked
package io.sluice.schema.history.rows;

import org.jspecify.annotations.NullMarked;
