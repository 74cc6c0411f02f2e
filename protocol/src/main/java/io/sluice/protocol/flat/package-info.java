/** Flat messages as consumers read them. It does not know who wrote them, nor how they came. */
@NullMarked
package io.sluice.protocol.flat;

import org.jspecify.annotations.NullMarked;
