/** A program around canal's published client. It knows nothing of ours. */
@NullMarked
package io.sluice.testkit.canalclient;

import org.jspecify.annotations.NullMarked;
