/**
 * Reads {@code canal.properties} and the instance files into option records, once, and reports everything that is wrong with them in
 * one list. It does not know how the values are used, and starts nothing.
 */
@NullMarked
package io.sluice.server.config.read;

import org.jspecify.annotations.NullMarked;
