/** Sends messages to Pulsar. */
@NullMarked
package io.sluice.connector.pulsar;

import org.jspecify.annotations.NullMarked;
