/** What an operator does to cursors beside the server: look, move, delete, restore. It does not run instances. */
@NullMarked
package io.sluice.server.cursor;

import org.jspecify.annotations.NullMarked;
