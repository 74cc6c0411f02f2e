/** Tests of the list of the package's libraries. */
@NullMarked
package io.sluice.sbom;

import org.jspecify.annotations.NullMarked;
