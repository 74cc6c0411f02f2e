package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.HOST_PORT;
import static io.sluice.server.config.text.ValueType.SECRET;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.WORDY_BOOLEAN;
import static io.sluice.server.config.text.ValueType.bytes;
import static io.sluice.server.config.text.ValueType.integer;
import static io.sluice.server.config.text.ValueType.longInteger;
import static io.sluice.server.config.text.ValueType.oneOf;

import io.sluice.server.config.text.Key;
import java.util.List;

/** The keys of canal that do not work: those that are rejected, have no effect in this version, or never have one. */
public final class IdleKeys {
    public static final KeyGroup GROUP = new KeyGroup("Keys of canal that do not work");

    private static final String NO_BACKUPS = "Binlogs in the backups of RDS are not read in this version.";
    private static final String FORMER = "Of canal 1.1.4 and before; canal itself does not read it any more.";

    private static final String FORMER_OPTIONS = "canal.mq.properties.";

    static final PerDestinationKey<String> MANAGER =
            PerDestinationKey.of(GROUP.add(Key.server(PerDestinationKey.nameOfAll(".manager.address"), TEXT, "")
                    .shipped("${canal.admin.manager}")
                    .inert("The address of the admin server is that of `canal.admin.manager`, for all instances.")));

    static {
        addServerKeys();
        addInstanceKeys();
        for (String prefix : List.of("master1", "master2", "standby1", "standby2")) {
            addGroupedSource("canal.instance." + prefix + ".");
        }
        for (String name : List.of(
                "transaction",
                "parallelThreadSize",
                "enableMessageTrace",
                "customizedTraceTopic",
                "username",
                "password",
                "vhost",
                "exchange",
                "aliyunuid")) {
            GROUP.add(Key.server("canal.mq." + name, TEXT, "").inert(FORMER));
        }
        GROUP.add(Key.server(FORMER_OPTIONS + "*", TEXT, "")
                .inert(FORMER + " The options of the producer are `kafka.*`."));
    }

    private IdleKeys() {}

    /** Whether a name is below {@code canal.mq.properties.}, as the options of Kafka's producer were up to canal 1.1.4. */
    public static boolean isFormer(String name) {
        return name.startsWith(FORMER_OPTIONS);
    }

    private static void addServerKeys() {
        GROUP.add(Key.server("canal.conf", TEXT, "")
                .inert("The path of `canal.properties`, which `bin/startup.sh` sets."));
        GROUP.add(Key.server("canal.id", TEXT, "").inert("Canal does not read it either."));
        GROUP.add(Key.server("canal.socketChannel", oneOf("bio", "netty"), "bio")
                .inert("It chooses between two implementations of canal's connection to MySQL; here there is one."));
        GROUP.add(Key.server("canal.mq.send.thread.size", integer(1), "30")
                .inert("Each instance has one thread that sends."));
    }

    private static void addInstanceKeys() {
        GROUP.add(Key.instance("canal.instance.network.receiveBufferSize", bytes(1, Integer.MAX_VALUE), "16384")
                .inert("The first size of a buffer of canal, no option of the connection."));
        GROUP.add(Key.instance("canal.instance.network.sendBufferSize", bytes(1, Integer.MAX_VALUE), "16384")
                .inert("It has no effect in canal either."));
        GROUP.add(Key.instance("canal.instance.multi.stream.on", WORDY_BOOLEAN, "false")
                .rejected("PolarDB-X streams are not available in this version"));
        GROUP.add(Key.instance("canal.instance.tsdb.spring.xml", TEXT, "")
                .shipped("classpath:spring/tsdb/h2-tsdb.xml")
                .inert("`canal.instance.tsdb.url` alone says where the history of table schemas is."));
        GROUP.add(
                Key.instance("canal.instance.tsdb.dir", TEXT, "")
                        .shipped("${canal.file.data.dir:../conf}/${canal.instance.destination:}")
                        .inert(
                                "It counts only where another value has it as a placeholder, as `canal.instance.tsdb.url` may."));
        GROUP.add(Key.instance("canal.instance.rds.instanceId", TEXT, "").later(NO_BACKUPS));
        GROUP.add(Key.instance("canal.instance.rds.accesskey", SECRET, "").later(NO_BACKUPS));
        GROUP.add(Key.instance("canal.instance.rds.secretkey", SECRET, "").later(NO_BACKUPS));
        GROUP.add(Key.instance("canal.aliyun.accesskey", SECRET, "").later(NO_BACKUPS));
        GROUP.add(Key.instance("canal.aliyun.secretkey", SECRET, "").later(NO_BACKUPS));
    }

    private static void addGroupedSource(String prefix) {
        String why = "It belongs to `group-instance.xml`, which is rejected: make an instance of each source.";
        GROUP.add(Key.instance(prefix + "address", HOST_PORT, "").later(why));
        GROUP.add(Key.instance(prefix + "journal.name", TEXT, "").later(why));
        GROUP.add(Key.instance(prefix + "position", longInteger(0, Long.MAX_VALUE), "")
                .later(why));
        GROUP.add(Key.instance(prefix + "timestamp", longInteger(0, Long.MAX_VALUE), "")
                .later(why));
        GROUP.add(Key.instance(prefix + "gtid", TEXT, "").later(why));
    }
}
