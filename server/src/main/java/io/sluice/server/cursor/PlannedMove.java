package io.sluice.server.cursor;

import io.sluice.protocol.position.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * A position that was found for a client's cursor.
 *
 * @param start where the instance would have started when it was found: the cursor of the client, or a smaller one of another client; null if there was
 *     none
 * @param wanted the position
 * @param isOfBinlog whether the cursor of the client was in the binlog that the source has; not if that was reset since
 * @param consequence what the move means for what is delivered, for people
 * @param gap what was asked for and the source does not have, for people; empty if there is no such thing
 */
public record PlannedMove(
        int clientId, @Nullable Cursor start, Cursor wanted, boolean isOfBinlog, String consequence, String gap) {
    /** A move to a position that the source has as it was asked for. */
    public PlannedMove(int clientId, @Nullable Cursor start, Cursor wanted, boolean isOfBinlog, String consequence) {
        this(clientId, start, wanted, isOfBinlog, consequence, "");
    }
}
