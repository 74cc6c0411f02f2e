/**
 * MySQL's client protocol as far as a replica needs it: login, TLS, text queries, and the binlog stream. It does not know
 * what an event is: it hands on an event's bytes, with their checksum, as the server sent them.
 */
@NullMarked
package io.sluice.mysql.wire;

import org.jspecify.annotations.NullMarked;
