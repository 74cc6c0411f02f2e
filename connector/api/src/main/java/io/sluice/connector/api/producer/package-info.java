/**
 * What a broker's module implements: a {@link io.sluice.connector.api.producer.Connector}, which reads properties, the factory that it makes
 * of them, and a producer of messages. It does not know what is in a message, nor the store.
 */
@NullMarked
package io.sluice.connector.api.producer;

import org.jspecify.annotations.NullMarked;
