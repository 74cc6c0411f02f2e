package io.sluice.stream.source.server;

/**
 * What a dump shows that begins where a file of the binlog is said to end, by one connection, which is to one server, wherever other queries were led.
 *
 * @param begunSeconds when the file was begun, in seconds since the epoch; 0 if the server does not state that
 * @param isEnd whether nothing follows in the file
 */
public record FileEnd(long begunSeconds, boolean isEnd) {}
