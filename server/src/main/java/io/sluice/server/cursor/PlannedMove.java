package io.sluice.server.cursor;

import io.sluice.protocol.position.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * A position that was found for a client's cursor.
 *
 * @param cursor where the client was when it was found; null if it had none
 * @param wanted the position
 * @param consequence what the move means for what is delivered, for people
 */
public record PlannedMove(int clientId, @Nullable Cursor cursor, Cursor wanted, String consequence) {}
