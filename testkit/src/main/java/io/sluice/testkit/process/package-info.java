/**
 * Runs a server as a child process that cannot outlive this JVM, and finds what it needs: ports, folders, a turn.
 *
 * <p>Knows no server by name.
 */
@NullMarked
package io.sluice.testkit.process;

import org.jspecify.annotations.NullMarked;
