/** What a broker's module implements: a producer of records. It does not know what is in a record, nor the store. */
@NullMarked
package io.sluice.connector.api.producer;

import org.jspecify.annotations.NullMarked;
