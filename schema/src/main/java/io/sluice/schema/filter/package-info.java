/** Which tables are of interest. It knows names only. */
@NullMarked
package io.sluice.schema.filter;

import org.jspecify.annotations.NullMarked;
