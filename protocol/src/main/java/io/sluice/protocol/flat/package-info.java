/** Flat messages as consumers read them. It does not know what wrote them, nor how they were transported. */
@NullMarked
package io.sluice.protocol.flat;

import org.jspecify.annotations.NullMarked;
