/**
 * The type, schema and table that the entry of a statement states, which are those that canal states; so it matters which texts canal's parser can read.
 *
 * <p>Druid, from which that parser descends, is used in this package only. Of tables it knows the names alone.
 */
@NullMarked
package io.sluice.schema.canal;

import org.jspecify.annotations.NullMarked;
