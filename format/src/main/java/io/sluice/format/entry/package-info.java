/**
 * The entries that a binlog becomes, and the encoders that make their messages: protobuf, flat JSON, Debezium's envelope. It does
 * not know where entries are kept or sent, nor how events were fetched.
 */
@NullMarked
package io.sluice.format.entry;

import org.jspecify.annotations.NullMarked;
