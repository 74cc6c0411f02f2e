package io.sluice.stream.source.server;

/**
 * What a dump from the listed end of a binlog file shows. It is made by one connection, so it is of one server, also where a proxy leads other queries elsewhere.
 *
 * @param begunSeconds when the file was begun, in seconds since the epoch; 0 if the server does not state that
 * @param isEnd whether nothing follows in the file
 */
public record FileEnd(long begunSeconds, boolean isEnd) {}
