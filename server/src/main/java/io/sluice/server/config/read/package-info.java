/**
 * Reads the texts of {@code canal.properties} and of the instances into option records, a reader for each concern, and reports everything that is wrong
 * with them in one list. It does not know where the texts are from, nor how the values are used, and starts nothing.
 */
@NullMarked
package io.sluice.server.config.read;

import org.jspecify.annotations.NullMarked;
