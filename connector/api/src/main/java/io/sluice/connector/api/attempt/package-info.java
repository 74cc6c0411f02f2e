/**
 * The life of a connection to a broker, the same for all brokers: which messages are handed over, what a failure stops, and how
 * sending begins again. It does not know any broker's client, nor how batches are delivered.
 */
@NullMarked
package io.sluice.connector.api.attempt;

import org.jspecify.annotations.NullMarked;
