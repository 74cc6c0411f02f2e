package io.sluice.stream.source;

import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;

/** Positions of entries, and the cursors that canal makes of them. */
final class EntryPositions {
    private EntryPositions() {}

    /** Where the event of an entry starts. */
    static BinlogPosition start(Entry entry) {
        ChangeId id = entry.changeId();
        return new BinlogPosition(id.file(), id.offset());
    }

    /** The cursor of canal without GTIDs: at the start of the event. */
    static Cursor canalCursor(Entry entry) {
        ChangeId id = entry.changeId();
        return new Cursor("127.0.0.1", 0, start(entry), "", id.serverId(), entry.executeTimeMillis());
    }

    /** A copy of a cursor with the given address of the server. */
    static Cursor at(Cursor cursor, String host, int port) {
        return new Cursor(
                SourceServer.at(host, port),
                cursor.position(),
                cursor.gtidSet(),
                cursor.serverId(),
                cursor.timestampMillis(),
                cursor.schema());
    }
}
