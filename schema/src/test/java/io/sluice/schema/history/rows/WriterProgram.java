package io.sluice.schema.history.rows;

import io.sluice.schema.history.database.SqliteDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A program that writes to a history until it is killed, and prints the number of each step once that has returned.
 *
 * <p>Arguments: the file, the seed, the first step, the step before which it ends.
 */
final class WriterProgram {
    private WriterProgram() {}

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        HistoryWorkload workload = new HistoryWorkload(Long.parseLong(arguments[1]));
        long end = Long.parseLong(arguments[3]);
        try (SqliteDatabase database = SqliteDatabase.open(file)) {
            HistoryTables tables = new HistoryTables(database, "shop");
            tables.create();
            for (long n = Long.parseLong(arguments[2]); n < end; n++) {
                workload.write(tables, n);
                System.out.write(("done " + n + "\n").getBytes(StandardCharsets.US_ASCII));
                System.out.flush();
            }
        }
    }
}
