/**
 * Alarms: which problems of instances are worth one, when, and how they are posted to web hooks. It reads what the health and the errors of
 * instances say, changes nothing, and does not know HTTP APIs or metrics of ours.
 */
@NullMarked
package io.sluice.server.alarm;

import org.jspecify.annotations.NullMarked;
