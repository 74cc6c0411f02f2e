/**
 * The type, schema and table that the entry of a statement states, which are those that canal states; so it matters which texts canal's parser can read.
 *
 * <p>Druid, which that parser descends from, is used in this package only. It does not know the schemas of tables.
 */
@NullMarked
package io.sluice.schema.canal;

import org.jspecify.annotations.NullMarked;
