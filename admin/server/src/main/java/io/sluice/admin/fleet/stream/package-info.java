/** Server-sent events to browsers: shared by all of them, bounded, and ended with the session. */
@NullMarked
package io.sluice.admin.fleet.stream;

import org.jspecify.annotations.NullMarked;
