package io.sluice.protocol.position;

/**
 * The newest event before a position, as far as it is known. Its time is by the clock of the server that wrote it, so the two belong together: of what another
 * server wrote, the time says nothing.
 *
 * @param millis when it was written, or earlier, in milliseconds since the epoch; 0 if that is not known
 * @param serverId the {@code server_id} in its header; 0 if that is not known
 */
public record LastEvent(long millis, long serverId) {
    /** Neither is known. */
    public static final LastEvent UNKNOWN = new LastEvent(0, 0);
}
