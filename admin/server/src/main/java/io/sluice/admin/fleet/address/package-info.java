/** Which addresses this server may connect to: names are resolved once, and link-local, multicast and similar addresses are rejected. */
@NullMarked
package io.sluice.admin.fleet.address;

import org.jspecify.annotations.NullMarked;
