package io.sluice.format.row;

import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.format.value.PartialJson;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Updates of a table {@code cart} with a key {@code id} and a document {@code j}, from the bytes of rows events. */
final class JsonCarts {
    private JsonCarts() {}

    /**
     * An update.
     *
     * @param hex the bytes of the event after its header, with blanks between some
     * @param isDelivered whether the document is delivered
     */
    static RowsEntry update(String hex, @Nullable PartialJson form, ColumnTypes types, boolean isDelivered) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        Origin origin = new Origin(
                new LogFile(SourceServer.at("localhost", 3306), "binlog.000001"), 4, 1, 1_000, 40, 2, null, false);
        return new RowsEntry(
                origin,
                EventType.UPDATE,
                table(types, isDelivered),
                7,
                EventBytes.of(bytes),
                0,
                bytes.length,
                form,
                0,
                RowRules.DEFAULT);
    }

    private static MappedTable table(ColumnTypes types, boolean isDelivered) {
        TableMap map = new TableMap(
                7,
                "shop",
                "cart",
                new int[] {ColumnCode.LONG, ColumnCode.JSON},
                new int[] {0, 4},
                new boolean[2],
                null);
        return new MappedTable(
                "shop",
                "cart",
                List.of(
                        new MappedColumn(
                                "id", "int", true, types.of(map, 0, new ColumnDeclaration("id", "int", false, null))),
                        new MappedColumn(
                                "j",
                                "json",
                                false,
                                types.of(map, 1, new ColumnDeclaration("j", "json", false, "utf8mb4")),
                                isDelivered)));
    }
}
