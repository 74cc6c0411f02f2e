package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.integer;
import static io.sluice.server.config.text.ValueType.millis;

import io.sluice.server.config.text.Key;
import java.time.Duration;

/** The keys of the port where metrics and health are read. */
public final class MetricsKeys {
    public static final KeyGroup GROUP = new KeyGroup("Metrics and health");

    public static final Key<Integer> PORT =
            GROUP.add(Key.server("canal.metrics.pull.port", integer(Integer.MIN_VALUE, 65535), "11112")
                    .described(
                            "The port where metrics and health are read, over HTTP; 0 or less: none. If it cannot be opened the log"
                                    + " says so, and the server runs."));
    public static final Key<String> ADDRESS = GROUP.add(
            Key.server("canal.metrics.pull.ip", TEXT, "").ours().described("The address to listen on; blank: all."));
    public static final PortTlsKeys TLS = PortTlsKeys.of("canal.metrics.tls.", "readers");
    public static final Key<Duration> STALL_LIMIT = Key.server("canal.health.stall.timeout", millis(0), "60000")
            .ours()
            .described(
                    "The time without progress, while there is work, after which an instance counts as stalled; 0: never.");

    public static final Key<Integer> TABLES = Key.server("canal.metrics.tables", integer(0, 10_000), "100")
            .ours()
            .described(
                    "The number of tables of each instance whose rows and bytes are [counted one by one](metrics.md#busiest-tables),"
                            + " those that are busiest; all others are counted together. 0: none are counted.");

    static {
        TLS.all().forEach(GROUP::add);
        GROUP.add(STALL_LIMIT);
        GROUP.add(TABLES);
    }

    private MetricsKeys() {}
}
