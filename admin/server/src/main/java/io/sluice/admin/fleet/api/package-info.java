/** The calls of the API about servers and instances. */
@NullMarked
package io.sluice.admin.fleet.api;

import org.jspecify.annotations.NullMarked;
