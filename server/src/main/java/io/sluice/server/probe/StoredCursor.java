package io.sluice.server.probe;

import io.sluice.protocol.position.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * The cursor at which an instance would start.
 *
 * @param location where cursors are kept, for messages
 * @param cursor the smallest of all clients; null if there is none, or it cannot be read
 * @param failure why it cannot be read; empty if it can
 */
record StoredCursor(String location, @Nullable Cursor cursor, String failure) {}
