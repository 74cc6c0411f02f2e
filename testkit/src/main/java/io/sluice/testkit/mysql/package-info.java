/**
 * Starts real MySQL and MariaDB servers, each on a free port and with a data folder of its own.
 *
 * <p>Knows neither the tables that are made in them nor the readers of their binlog.
 */
@NullMarked
package io.sluice.testkit.mysql;

import org.jspecify.annotations.NullMarked;
