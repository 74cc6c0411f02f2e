/**
 * From events to entries in the store: {@link io.sluice.stream.pipeline.StreamPipeline} joins the reader and the encoders on a shared pool,
 * which hand over in order. It does not know how a source is reached, nor how events are read. Internal to this module.
 */
@NullMarked
package io.sluice.stream.pipeline;

import org.jspecify.annotations.NullMarked;
