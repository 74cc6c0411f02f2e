/**
 * The schema history of an instance: it records what changes table schemas, and where in the binlog, so that the table schemas of
 * any position can be restored.
 *
 * <p>This package does not depend on events or on how a binlog is read.
 */
@NullMarked
package io.sluice.schema.history;

import org.jspecify.annotations.NullMarked;
