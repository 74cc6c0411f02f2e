/** The pages of the admin server in a browser. */
@NullMarked
package io.sluice.admin.e2e;

import org.jspecify.annotations.NullMarked;
