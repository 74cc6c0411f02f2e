/**
 * Where alarms are posted, and when.
 */
@NullMarked
package io.sluice.server.config.alarm;

import org.jspecify.annotations.NullMarked;
