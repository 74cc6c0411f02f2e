/** What a broker's module implements: a producer of messages. It does not know what is in a message, nor the store. */
@NullMarked
package io.sluice.connector.api.producer;

import org.jspecify.annotations.NullMarked;
