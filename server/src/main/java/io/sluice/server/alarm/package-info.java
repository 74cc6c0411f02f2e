/**
 * Alarms: which problems of instances are worth one, when, and how they are posted to web hooks. It reads what the health and the errors of
 * instances report, changes nothing, and does not know the HTTP API or the metrics of the server.
 */
@NullMarked
package io.sluice.server.alarm;

import org.jspecify.annotations.NullMarked;
