/**
 * The text of a configuration: files with their lines, the lookups that decide which value counts, keys and the types of their
 * values, and problems. It does not know which keys there are.
 */
@NullMarked
package io.sluice.server.config.text;

import org.jspecify.annotations.NullMarked;
