/** The admin server: what starts it. */
@NullMarked
package io.sluice.admin;

import org.jspecify.annotations.NullMarked;
