/** Flink's reader of canal's flat messages, as a program that tests run. It knows nothing of what made them. */
@NullMarked
package io.sluice.testkit.flink;

import org.jspecify.annotations.NullMarked;
