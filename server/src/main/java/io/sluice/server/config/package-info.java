/**
 * Reads {@code canal.properties} and the instance files into types, once, and says everything that is wrong with them in
 * one list. It does not know what the values are used for, and starts nothing.
 */
@NullMarked
package io.sluice.server.config;

import org.jspecify.annotations.NullMarked;
