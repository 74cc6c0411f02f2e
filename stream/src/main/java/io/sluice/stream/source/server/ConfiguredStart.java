package io.sluice.stream.source.server;

import io.sluice.protocol.position.BinlogPosition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where reading begins at a host if there is no cursor. */
public sealed interface ConfiguredStart {
    /** Nothing is configured: at the end of the binlog, as it is then, unless a position of another host would be exchanged for that. */
    record Default() implements ConfiguredStart {}

    /** At the end of the binlog, as it is then. */
    record Newest() implements ConfiguredStart {}

    /** At the oldest transaction that the host still has. */
    record Earliest() implements ConfiguredStart {}

    /**
     * At a position.
     *
     * @param gtidSet the transactions before it; null if that is not known
     */
    record At(BinlogPosition point, @Nullable String gtidSet) implements ConfiguredStart {}

    /** After a set of transactions. */
    record After(String gtidSet) implements ConfiguredStart {}

    /**
     * At the first transaction that was written at or after a time.
     *
     * @param file the only file to look in, which is read from its beginning if there is none in it; null for all files
     */
    record Since(@Nullable String file, Instant time) implements ConfiguredStart {}

    /** Whether it is the end of the binlog, stated or not. */
    default boolean isNewest() {
        return this instanceof Newest || this instanceof Default;
    }
}
