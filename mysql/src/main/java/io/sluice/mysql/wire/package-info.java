/**
 * Connections to a server, as far as a replica needs them: address and options, the socket, the login, and the binlog stream, over
 * the packages below, which have the parts of MySQL's client protocol. It does not know what an event is: it hands on an
 * event's bytes, with their checksum, as the server sent them.
 */
@NullMarked
package io.sluice.mysql.wire;

import org.jspecify.annotations.NullMarked;
