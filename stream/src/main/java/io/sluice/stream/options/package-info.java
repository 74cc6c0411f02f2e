/**
 * The options of a stream: which entries it makes, and how it handles what is large, incomplete or undecided. It does not know how
 * events are read.
 */
@NullMarked
package io.sluice.stream.options;

import org.jspecify.annotations.NullMarked;
