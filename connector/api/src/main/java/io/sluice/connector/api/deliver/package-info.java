/**
 * Delivers a store's batches, in order and at least once. It does not know what is in a batch, how it is converted, or which
 * broker the producer speaks to.
 */
@NullMarked
package io.sluice.connector.api.deliver;

import org.jspecify.annotations.NullMarked;
