/** A program around canal's published client. It knows no other module. */
@NullMarked
package io.sluice.testkit.canalclient;

import org.jspecify.annotations.NullMarked;
