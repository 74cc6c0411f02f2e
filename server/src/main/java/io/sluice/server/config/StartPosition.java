package io.sluice.server.config;

import java.time.Instant;
import java.util.Optional;

/** Where an instance begins that has no cursor yet. */
public sealed interface StartPosition {
    /** Where the source is writing now: what was written before is not delivered. */
    record Newest() implements StartPosition {}

    /** At the oldest transaction that the source still has. */
    record Earliest() implements StartPosition {}

    /** After a set of transactions, wherever the others are. */
    record After(String gtidSet) implements StartPosition {}

    /** At an offset of a binlog file; in GTID mode with the set of transactions before it, so that entries carry theirs. */
    record At(String file, long offset, Optional<String> gtidSet) implements StartPosition {}

    /** At the first transaction at or after a time; if a file is named, searched for in that file only. */
    record Since(Optional<String> file, Instant time) implements StartPosition {}
}
