/**
 * Messages as JSON in Debezium's envelope. It does not know how entries are split and sent.
 */
@NullMarked
package io.sluice.format.debezium;

import org.jspecify.annotations.NullMarked;
