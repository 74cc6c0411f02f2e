/** Calls the control APIs of Sluice servers: the HTTP client, with its limits, and what may be called. */
@NullMarked
package io.sluice.admin.fleet.control;

import org.jspecify.annotations.NullMarked;
