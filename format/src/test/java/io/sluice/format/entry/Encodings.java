package io.sluice.format.entry;

import io.sluice.format.flat.FlatFormat;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.protobuf.ProtobufEncoder;
import io.sluice.format.split.ImageRowSplitter;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowPieces;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.bytes.ByteWriter;

/** Encodes single entries, each by a new encoder. */
public final class Encodings {
    private Encodings() {}

    /** Appends the flat JSON of an entry; false if it has none. */
    public static boolean writeFlat(Entry entry, ByteWriter out, long batchId, long builtAtMillis) {
        return new FlatFormat().newEncoder().encode(entry, new BatchOrigin(batchId, builtAtMillis), out);
    }

    /** Appends the protobuf message of an entry. */
    public static void writeProtobuf(Entry entry, ByteWriter out) {
        new ProtobufEncoder().encode(entry, out);
    }

    /** The form of an entry that was encoded ahead. */
    public static Entry encoded(Entry entry) {
        return new ProtobufEncoder().encoded(entry);
    }

    /** An entry of a statement with another boundary after it. */
    public static Entry withBoundary(Entry entry, Boundary boundary) {
        if (entry instanceof EncodedEntry encoded) {
            return new EncodedEntry(
                    withBoundary(encoded.origin(), boundary),
                    encoded.kind(),
                    encoded.eventType(),
                    encoded.schemaName(),
                    encoded.tableName(),
                    0,
                    0,
                    encoded.bytes());
        }
        StatementEntry statement = (StatementEntry) entry;
        return new StatementEntry(
                withBoundary(statement.origin(), boundary),
                statement.eventType(),
                statement.schema(),
                statement.table(),
                statement.ddl(),
                statement.sql(),
                statement.sessionSchema());
    }

    private static Origin withBoundary(Origin origin, Boundary boundary) {
        return new Origin(
                origin.file().withHeld(boundary),
                origin.offset(),
                origin.serverId(),
                origin.timeMillis(),
                origin.length(),
                origin.sequence(),
                origin.gtid(),
                true);
    }

    /** The rows of an entry. */
    public static RowPieces pieces(Entry entry, RowCut cut) {
        return new ImageRowSplitter().split(entry, cut);
    }
}
