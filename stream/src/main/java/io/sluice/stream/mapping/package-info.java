/**
 * Which columns the row images of a table have: {@link io.sluice.stream.mapping.TableMappings} combines table maps with table schemas, and
 * caches what rows events are decoded with. It does not know other events, nor which entries rows become. Internal to this module.
 */
@NullMarked
package io.sluice.stream.mapping;

import org.jspecify.annotations.NullMarked;
