/**
 * The binlog's events as bytes: their headers, their bodies, and the files they are in. It knows neither tables'
 * table schemas nor what is made of a row.
 */
@NullMarked
package io.sluice.mysql.binlog;

import org.jspecify.annotations.NullMarked;
