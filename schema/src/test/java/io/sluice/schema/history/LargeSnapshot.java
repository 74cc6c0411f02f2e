package io.sluice.schema.history;

import io.sluice.mysql.failure.SourceException;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import java.io.IOException;
import java.nio.file.Path;

/** A program that restores the newest snapshot of a history, by its path without a suffix, writes the next one, and prints how that ends. */
final class LargeSnapshot {
    private LargeSnapshot() {}

    public static void main(String[] arguments) throws IOException {
        HistoryConfig config = HistoryConfigs.of("shop", HistoryLocation.besideH2(Path.of(arguments[0]), ""));
        try (SchemaHistory history = SchemaHistory.open(config, Time.SYSTEM)) {
            history.setSource(LargeHistory.SOURCE);
            SchemaTracker tracker = new SchemaTracker(name -> null, SourceTraits.DEFAULT, history);
            StreamStart start =
                    StreamStart.at(LargeHistory.SOURCE, LargeHistory.FILE, 2_000, 1, LargeHistory.TIME + 2_000);
            history.restore(tracker, start);
            history.snapshot(start, tracker.catalog()::state);
            System.out.println("tables=" + tracker.catalog().tables().count());
        } catch (SourceException e) {
            System.out.println(e.failure() + ": " + e.getMessage() + ": " + e.remedy());
        }
    }
}
