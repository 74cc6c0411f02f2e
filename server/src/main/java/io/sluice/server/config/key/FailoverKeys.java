package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.WORDY_BOOLEAN;
import static io.sluice.server.config.text.ValueType.integer;
import static io.sluice.server.config.text.ValueType.seconds;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.ValueType;
import java.time.Duration;
import java.util.List;

/** The keys of the hosts that may be read instead of the first, and of what shows that a source is unreachable. */
public final class FailoverKeys {
    public static final KeyGroup GROUP = new KeyGroup("Several hosts, and a source that is unreachable");
    public static final KeyGroup STANDBY_GROUP = new KeyGroup("The standby host");

    public static final Key<List<ServerAddress>> MORE_HOSTS =
            GROUP.add(Key.instance("canal.instance.hosts", ValueType.HOST_PORTS, "")
                    .ours()
                    .described(
                            "Hosts besides master and standby with the same data, with the settings of master for TLS and the"
                                    + " password; see [failures.md](failures.md#failover)."));
    public static final Key<Duration> FALLBACK = GROUP.add(Key.instance(
                    "canal.instance.fallbackIntervalInSeconds", seconds(0), "60")
            .described("Where there are no GTIDs: how long before the last known time another host is read from."));
    public static final Key<Boolean> RESET_TO_NEWEST = GROUP.add(Key.instance(
                    "canal.auto.reset.latest.pos.mode", WORDY_BOOLEAN, "false")
            .described("`true`: when the binlog is purged from the cursor on, continue at the newest position. Changes"
                    + " are lost then. When the source has lost the end of a file, continue at the next one; see"
                    + " [positions.md](positions.md#a-lost-end-of-a-file)."));
    public static final Key<Duration> SILENCE = GROUP.add(Key.instance(
                    "canal.instance.network.soTimeout", seconds(0), "30")
            .described("The time without any byte after which a connection to the source is given up; 0: never."));
    /** After how long without an event the source is to send a heartbeat. */
    public static final Key<Duration> HEARTBEAT =
            GROUP.add(Key.instance("canal.instance.network.heartbeatPeriod", seconds(1), "")
                    .ours()
                    .defaulting("half of `soTimeout`, at most `15`")
                    .described("The time after which an idle source sends a heartbeat."));

    public static final Key<Boolean> PROBE =
            GROUP.add(Key.instance("canal.instance.detecting.enable", WORDY_BOOLEAN, "false")
                    .described("Whether a query checks that the source is alive, on a connection of its own."));
    public static final Key<String> PROBE_SQL = GROUP.add(Key.instance("canal.instance.detecting.sql", TEXT, "")
            .shipped("select 1")
            .described("That query, such as `select 1`; blank: none."));
    public static final Key<Duration> PROBE_INTERVAL =
            GROUP.add(Key.instance("canal.instance.detecting.interval.time", seconds(1), "5")
                    .shipped("3")
                    .described("The time between two queries, and for each answer."));
    public static final Key<Integer> PROBE_RETRIES =
            GROUP.add(Key.instance("canal.instance.detecting.retry.threshold", integer(0), "3")
                    .described("The number of failures in a row that are tolerated, of queries and of connections."));
    public static final Key<Boolean> PROBE_SWITCHES = GROUP.add(Key.instance(
                    "canal.instance.detecting.heartbeatHaEnable", WORDY_BOOLEAN, "false")
            .described("Whether one failed query more has the next host read. Without it, that is only logged."));

    public static final HostKeys STANDBY = standby();

    static {
        STANDBY.all().forEach(STANDBY_GROUP::add);
    }

    private FailoverKeys() {}

    private static HostKeys standby() {
        HostKeys keys = SourceKeys.MASTER.named(name -> name.replace(".master.", ".standby."));
        return keys.withAddress(keys.address()
                .defaulting("")
                .described("A second host with the same data; see [failures.md](failures.md#failover)."));
    }
}
