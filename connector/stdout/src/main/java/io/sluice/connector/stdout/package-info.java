/** Writes records to standard output or a file, for trying out and debugging. */
@NullMarked
package io.sluice.connector.stdout;

import org.jspecify.annotations.NullMarked;
