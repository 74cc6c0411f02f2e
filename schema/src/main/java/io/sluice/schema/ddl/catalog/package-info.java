/**
 * The table schemas in memory, what is in doubt about them, and where they are read and recorded.
 *
 * <p>This package does not know statements: they are applied to it.
 */
@NullMarked
package io.sluice.schema.ddl.catalog;

import org.jspecify.annotations.NullMarked;
