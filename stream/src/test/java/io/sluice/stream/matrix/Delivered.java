package io.sluice.stream.matrix;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.testkit.check.Change;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.RawRecords;
import java.util.ArrayList;
import java.util.List;

/**
 * A change as it was delivered in both forms.
 *
 * @param raw as protobuf
 * @param flat as flat JSON, whose before image has no more than {@code old} and the key's columns
 */
record Delivered(Change.OfRow raw, Change.OfRow flat) {
    /** The row changes of entries, in order. */
    static List<Delivered> of(List<Entry> entries) {
        RawRecords rawForm = new RawRecords();
        FlatRecords flatForm = new FlatRecords();
        List<Delivered> delivered = new ArrayList<>();
        for (Entry entry : entries) {
            List<Change> raw;
            try {
                raw = rawForm.read("raw", 0, 0, protobuf(entry));
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
            ByteWriter out = new ByteWriter(256);
            List<Change> flat =
                    Encodings.writeFlat(entry, out, 1, 1) ? flatForm.read("flat", 0, 0, out.toByteArray()) : List.of();
            if (raw.size() != flat.size()) {
                throw new AssertionError(
                        "%d changes in protobuf and %d in JSON: %s".formatted(raw.size(), flat.size(), raw));
            }
            for (int i = 0; i < raw.size(); i++) {
                if (raw.get(i) instanceof Change.OfRow rawRow && flat.get(i) instanceof Change.OfRow flatRow) {
                    delivered.add(new Delivered(rawRow, flatRow));
                }
            }
        }
        return delivered;
    }

    private static io.sluice.protocol.entry.Entry protobuf(Entry entry) {
        ByteWriter out = new ByteWriter(256);
        Encodings.writeProtobuf(entry, out);
        try {
            return io.sluice.protocol.entry.Entry.parseFrom(out.toByteArray());
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }
}
