/** Converts batches of entries to messages: packets, or a message for each entry or row. It does not know the store's state, nor the broker. */
@NullMarked
package io.sluice.connector.api.convert;

import org.jspecify.annotations.NullMarked;
