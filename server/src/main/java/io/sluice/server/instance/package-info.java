/** One instance: its source, its store and its sender or its clients, wired and run together. It does not know the other instances. */
@NullMarked
package io.sluice.server.instance;

import org.jspecify.annotations.NullMarked;
