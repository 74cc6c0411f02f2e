package io.sluice.stream.source.schema;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import java.io.IOException;

/** Reads the catalog of a source, by host, port and user, and prints how much that has. */
final class CatalogProgram {
    private CatalogProgram() {}

    public static void main(String[] arguments) throws IOException {
        ServerAddress address = new ServerAddress(arguments[0], Integer.parseInt(arguments[1]));
        SourceCatalog catalog = SourceCatalog.read(ConnectOptions.of(address, arguments[2], ""), table -> false);
        System.out.printf(
                "tables=%d columns=%d last=%s%n",
                catalog.tables().size(),
                catalog.tables().stream()
                        .mapToInt(table -> table.columns().size())
                        .sum(),
                catalog.tables().get(catalog.tables().size() - 1).columns().get(999));
    }
}
