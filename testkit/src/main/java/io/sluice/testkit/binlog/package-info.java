/**
 * Binlogs that are written event by event, for tests that need sequences of events no server can be made to log on demand. It
 * knows the formats from MySQL's and MariaDB's documentation, and nothing of the code that reads them.
 */
@NullMarked
package io.sluice.testkit.binlog;

import org.jspecify.annotations.NullMarked;
