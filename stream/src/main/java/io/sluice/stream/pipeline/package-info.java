/**
 * From events to entries in the store: a reader that does what must be serial, encoders on a shared pool, which hand over
 * in order. It does not know how a source is reached. Internal to this module.
 */
@NullMarked
package io.sluice.stream.pipeline;

import org.jspecify.annotations.NullMarked;
