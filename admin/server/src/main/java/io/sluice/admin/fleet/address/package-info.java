/** Which addresses this server may connect to: names become addresses once, and those that nobody means are rejected. */
@NullMarked
package io.sluice.admin.fleet.address;

import org.jspecify.annotations.NullMarked;
