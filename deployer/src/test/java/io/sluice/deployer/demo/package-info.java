/** The demo: real servers, the packaged server between them, and what comes out. It knows the package only by its scripts. */
@NullMarked
package io.sluice.deployer.demo;

import org.jspecify.annotations.NullMarked;
