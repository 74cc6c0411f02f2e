/** A program around Flink's format for canal's flat messages. It knows no other module. */
@NullMarked
package io.sluice.testkit.flinkformat;

import org.jspecify.annotations.NullMarked;
