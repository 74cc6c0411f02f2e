/**
 * The keys of the configuration: a class for each concern, with their types, defaults, meaning and what changes of them take effect by.
 * It holds definitions only, and reads nothing.
 */
@NullMarked
package io.sluice.server.config.key;

import org.jspecify.annotations.NullMarked;
