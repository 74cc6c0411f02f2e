package io.sluice.format.protobuf;

import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.RowLayout;
import java.util.List;

/** The columns of a layout as protobuf has them. Immutable. */
final class ProtobufColumns {
    final ProtobufColumn[] all;

    /** How much room they need beside three times their values. */
    final int room;

    ProtobufColumns(RowLayout layout) {
        List<MappedColumn> columns = layout.columns();
        all = new ProtobufColumn[columns.size()];
        int sum = 0;
        for (int i = 0; i < all.length; i++) {
            all[i] = new ProtobufColumn(i, columns.get(i));
            sum += all[i].room();
        }
        room = sum;
    }
}
