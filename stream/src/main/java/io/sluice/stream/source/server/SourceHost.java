package io.sluice.stream.source.server;

import io.sluice.mysql.wire.ConnectOptions;
import org.jspecify.annotations.Nullable;

/**
 * One of the hosts that a source can be read from.
 *
 * @param login how to connect
 * @param start where to begin there if there is no cursor
 */
public record SourceHost(ConnectOptions login, ConfiguredStart start) {
    /**
     * Whether it must not be read without a cursor before the first host was: a position is configured for that one, whose files have nothing in common with
     * those here, and no start here. The newest position here would skip what came since.
     *
     * @return that position; null if it may be read
     */
    public ConfiguredStart.@Nullable At lacksStartBeside(SourceHost first) {
        return start instanceof ConfiguredStart.Default && first.start() instanceof ConfiguredStart.At at ? at : null;
    }
}
