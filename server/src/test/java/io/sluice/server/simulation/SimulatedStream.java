package io.sluice.server.simulation;

import io.sluice.format.value.ColumnTypes;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.source.SourceStream;
import io.sluice.stream.source.schema.SchemaOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;

/** What a simulated reader reads of a binlog: all tables, with a schema history that the test keeps. */
final class SimulatedStream {
    private SimulatedStream() {}

    static SourceStream ofAllTables() {
        return ofAllTables(StreamOptions.DEFAULT);
    }

    static SourceStream ofAllTables(StreamOptions options) {
        return new SourceStream(
                options,
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                new SchemaOptions(new HistoryConfig(
                        "shop",
                        new HistoryLocation.LocalFile(Path.of("unused"), Path.of("unused"), ""),
                        "",
                        "",
                        Duration.ZERO,
                        Duration.ofDays(1))));
    }
}
