/** Tests of what operators run the package with: the container image and what starts it. */
@NullMarked
package io.sluice.deployer.image;

import org.jspecify.annotations.NullMarked;
