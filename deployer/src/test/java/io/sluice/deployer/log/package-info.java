/** Tests of how lines of the log are written. */
@NullMarked
package io.sluice.deployer.log;

import org.jspecify.annotations.NullMarked;
