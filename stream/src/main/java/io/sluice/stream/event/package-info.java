/**
 * What is passed on: the current {@linkplain io.sluice.stream.event.Event event} of the reader, and a {@linkplain
 * io.sluice.stream.event.Chunk chunk} of events and their entries. It does not know how events are read, nor which entries they
 * become. Internal to this module.
 */
@NullMarked
package io.sluice.stream.event;

import org.jspecify.annotations.NullMarked;
