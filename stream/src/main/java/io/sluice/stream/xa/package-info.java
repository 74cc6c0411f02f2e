/**
 * Holds back the events of XA transactions that are prepared and not decided yet, in memory and in files: {@link
 * io.sluice.stream.xa.HeldSpace} has the room, {@link io.sluice.stream.xa.HeldEvents} the events of one transaction. Internal to this
 * module.
 */
@NullMarked
package io.sluice.stream.xa;

import org.jspecify.annotations.NullMarked;
