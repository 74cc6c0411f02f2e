/** Watches each server, by a stream of its control API or by its management port, and has what it reported last about itself and its instances. */
@NullMarked
package io.sluice.admin.fleet.watch;

import org.jspecify.annotations.NullMarked;
