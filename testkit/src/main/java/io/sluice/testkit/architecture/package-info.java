/** Checks of the order of packages, for the tests of each module. It does not know which packages a module has. */
@NullMarked
package io.sluice.testkit.architecture;

import org.jspecify.annotations.NullMarked;
