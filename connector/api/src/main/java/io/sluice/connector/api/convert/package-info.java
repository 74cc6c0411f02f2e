/** Turns batches of entries into records: raw packets or flat JSON. It does not know the store's state, nor the broker. */
@NullMarked
package io.sluice.connector.api.convert;

import org.jspecify.annotations.NullMarked;
