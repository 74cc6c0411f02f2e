/** Clocks that tests set. It depends on nothing but the interface of the clocks. */
@NullMarked
package io.sluice.testkit.time;

import org.jspecify.annotations.NullMarked;
