package io.sluice.format.flat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.entry.TransactionBoundary;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.message.MessageEncoder;
import io.sluice.format.value.Digits;
import io.sluice.format.value.JsonText;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;

/** Writes entries as canal's flat JSON objects, in UTF-8. The boundaries of transactions have no message. */
final class FlatJsonEncoder implements MessageEncoder {
    private final FlatFields fields = new FlatFields();
    private final RowsFlat rows = new RowsFlat(fields);

    @Override
    public boolean encode(Entry entry, BatchOrigin batch, ByteWriter out) {
        if (entry instanceof RowsEntry image) {
            encodeRows(image, batch, out);
            return true;
        }
        if (entry instanceof StatementEntry statement) {
            encodeStatement(statement, batch, out);
            return true;
        }
        if (entry instanceof UnreadRowsEntry unread) {
            throw unread.tooLarge();
        }
        if (entry instanceof TransactionBoundary) {
            return false;
        }
        throw new IllegalStateException("was encoded ahead in another format: " + entry.changeId());
    }

    private void encodeRows(RowsEntry entry, BatchOrigin batch, ByteWriter out) {
        int start = out.size();
        try {
            rows.write(entry, out, batch.id(), batch.builtAtMillis());
        } catch (MalformedEventException e) {
            out.setSize(start);
            throw entry.located(e);
        } catch (RuntimeException e) {
            out.setSize(start);
            throw e;
        } finally {
            rows.close();
        }
    }

    private void encodeStatement(StatementEntry entry, BatchOrigin batch, ByteWriter out) {
        int start = out.size();
        try {
            writeStatement(entry, batch, out);
        } catch (RuntimeException e) {
            out.setSize(start);
            throw e;
        }
    }

    private void writeStatement(StatementEntry entry, BatchOrigin batch, ByteWriter out) {
        out.writeAscii("{\"data\":null,\"database\":");
        JsonText.writeString(out, entry.schemaName());
        fields.writeTimeAndBatch(out, entry.origin(), batch.id());
        out.writeAscii(entry.isDdl() ? "true" : "false");
        out.writeAscii(",\"mysqlType\":null,\"old\":null,\"pkNames\":null,\"sql\":");
        JsonText.writeString(out, entry.sql());
        out.writeAscii(",\"sqlType\":null,\"table\":");
        JsonText.writeString(out, entry.tableName());
        out.writeAscii(",\"ts\":");
        Digits.writeLong(out, batch.builtAtMillis());
        out.writeAscii(",\"type\":\"");
        out.writeAscii(entry.eventType().name());
        out.writeAscii("\"}");
    }
}
