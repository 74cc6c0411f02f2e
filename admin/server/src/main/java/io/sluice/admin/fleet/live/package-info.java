/** What the watches of servers have reported, merged with what is configured here: states, problems and the history of some minutes. */
@NullMarked
package io.sluice.admin.fleet.live;

import org.jspecify.annotations.NullMarked;
