/** Settings of the test run that hold for all modules. It does not know what is tested. */
@NullMarked
package io.sluice.testkit.junit;

import org.jspecify.annotations.NullMarked;
