/**
 * Holds back the events of XA transactions that are prepared and not decided yet, in memory and in files: {@link
 * io.sluice.parse.xa.HeldSpace} has the room, {@link io.sluice.parse.xa.HeldEvents} the events of one transaction.
 */
@NullMarked
package io.sluice.parse.xa;

import org.jspecify.annotations.NullMarked;
