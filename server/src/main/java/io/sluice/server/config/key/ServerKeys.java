package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.BOOLEAN;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.oneOf;
import static io.sluice.server.config.text.ValueType.seconds;
import static io.sluice.server.config.text.ValueType.text;

import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.ValueType;
import java.time.Duration;
import java.util.List;

/** The keys of where a server delivers to, and which instances it has. */
public final class ServerKeys {
    public static final KeyGroup GROUP = new KeyGroup("The server");

    public static final Key<ServerMode> SERVER_MODE =
            GROUP.add(Key.server("canal.serverMode", oneOf(ServerMode.class, ServerMode::spelling), "")
                    .defaulting("required")
                    .described(
                            "`tcp`: clients pull from the port of this server. The others: messages are sent to that broker, or written to"
                                    + " standard output or a file."));
    public static final Key<List<String>> DESTINATIONS =
            GROUP.add(Key.server("canal.destinations", ValueType.DESTINATIONS, "")
                    .shipped("example")
                    .reloaded()
                    .defaulting("required, unless there is a range or a scan")
                    .described("The names of the instances."));
    public static final Key<List<String>> DESTINATION_RANGE =
            GROUP.add(Key.server("canal.destinations.expr", ValueType.DESTINATION_RANGE, "")
                    .reloaded()
                    .described("Instead of `canal.destinations`: `shop{1-3}` for `shop1`, `shop2` and `shop3`."));
    public static final Key<String> CONF_DIR = GROUP.add(Key.server("canal.conf.dir", TEXT, "../conf")
            .described("The directory that holds a directory per instance."));
    public static final Key<Boolean> AUTO_SCAN = GROUP.add(Key.server("canal.auto.scan", BOOLEAN, "false")
            .shipped("true")
            .described(
                    "Whether the instances that run are those that have a file there, and whether changes of the configuration"
                            + " are taken over while the server runs. An instance that `canal.destinations` names and that has no file"
                            + " does not run then."));
    public static final Key<Duration> SCAN_INTERVAL = GROUP.add(Key.server("canal.auto.scan.interval", seconds(1), "5")
            .described("With `canal.auto.scan`: the time between two readings of the files."));

    public static final PerDestinationKey<String> WIRING = perDestination(Key.server(
                    PerDestinationKey.nameOfAll(".spring.xml"),
                    text("the path of a file that canal ships"),
                    "classpath:spring/file-instance.xml")
            .described("Where the cursor is kept, by the file's name alone: `file-instance.xml` for a file,"
                    + " `default-instance.xml` for ZooKeeper, `memory-instance.xml`, which loses it at a stop. With the name"
                    + " of an instance for `global` it holds for that one only, as do the next two."));
    public static final PerDestinationKey<Boolean> LAZY =
            perDestination(Key.server(PerDestinationKey.nameOfAll(".lazy"), BOOLEAN, "false")
                    .described("`true`: an instance that clients pull waits for the first of them."));
    public static final PerDestinationKey<String> MODE = perDestination(
            Key.server(PerDestinationKey.nameOfAll(".mode"), text("spring or manager"), "spring")
                    .described(
                            "Where the configuration of instances is: `spring`, in files, or `manager`, at an admin server. With"
                                    + " `canal.admin.manager` it is there, whatever this says; without, `manager` is rejected."));

    private ServerKeys() {}

    private static <T> PerDestinationKey<T> perDestination(Key<T> ofAll) {
        return PerDestinationKey.of(GROUP.add(ofAll.reloaded()));
    }
}
