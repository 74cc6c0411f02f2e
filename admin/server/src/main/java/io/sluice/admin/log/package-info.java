/** What the log of the admin server needs besides logback. */
@NullMarked
package io.sluice.admin.log;

import org.jspecify.annotations.NullMarked;
