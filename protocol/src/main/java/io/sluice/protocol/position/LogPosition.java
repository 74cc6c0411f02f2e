package io.sluice.protocol.position;

/**
 * A position together with the server whose binlog it is in: what a cursor holds.
 *
 * @param sourceHost the host name or address of the source, as configured or as a cursor file says
 * @param sourcePort its TCP port, 1 to 65535
 * @param position the place in that server's binlog
 */
public record LogPosition(String sourceHost, int sourcePort, EntryPosition position) {}
