/**
 * What a test needs of any message queue: topics, what they hold, and the ways in which it can fail.
 *
 * <p>Does not know what the records mean, nor any broker by name.
 */
@NullMarked
package io.sluice.testkit.broker;

import org.jspecify.annotations.NullMarked;
