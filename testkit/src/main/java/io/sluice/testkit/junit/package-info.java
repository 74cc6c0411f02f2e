/** What the test runs of all modules have in common: time limits, and random seeds. It does not know what is tested. */
@NullMarked
package io.sluice.testkit.junit;

import org.jspecify.annotations.NullMarked;
