/**
 * Writes messages to standard output or a file, a line each, for trying out and debugging.
 *
 * <p>Does not know what is in a message, but distinguishes text from other bytes.
 */
@NullMarked
package io.sluice.connector.stdout;

import org.jspecify.annotations.NullMarked;
