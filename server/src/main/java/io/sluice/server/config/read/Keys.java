package io.sluice.server.config.read;

import static io.sluice.server.config.text.ValueType.BOOLEAN;
import static io.sluice.server.config.text.ValueType.HOST_PORT;
import static io.sluice.server.config.text.ValueType.LIST;
import static io.sluice.server.config.text.ValueType.SECRET;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.URL_TEXT;
import static io.sluice.server.config.text.ValueType.WORDY_BOOLEAN;
import static io.sluice.server.config.text.ValueType.ZONE;
import static io.sluice.server.config.text.ValueType.integer;
import static io.sluice.server.config.text.ValueType.longInteger;
import static io.sluice.server.config.text.ValueType.millis;
import static io.sluice.server.config.text.ValueType.oneOf;
import static io.sluice.server.config.text.ValueType.powerOfTwo;
import static io.sluice.server.config.text.ValueType.seconds;

import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.format.message.MessageFormats;
import io.sluice.format.value.PartialJson;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.TlsMode;
import io.sluice.server.config.OnReject;
import io.sluice.server.config.OnTopicUnavailable;
import io.sluice.server.config.ServerMode;
import io.sluice.server.config.ZooKeeperAccess;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.ValueType;
import io.sluice.store.ring.BatchMode;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every key there is: canal's, and ours. To make a key work, take its {@code later()} away and read it in
 * {@link InstanceReader} or {@link ConfigLoader}.
 */
final class Keys {
    private static final Map<String, Key<?>> ALL = new LinkedHashMap<>();

    private static final ValueType<String> MISMATCH = new ValueType<>("stop or skip", text -> {
        if (!text.equals("stop") && !text.equals("skip")) {
            throw new IllegalArgumentException(text);
        }
        return text;
    });

    // The server.
    static final Key<ServerMode> SERVER_MODE =
            add(Key.server("canal.serverMode", oneOf(ServerMode.class, ServerMode::spelling), ""));
    static final Key<List<String>> DESTINATIONS =
            add(Key.server("canal.destinations", ValueType.DESTINATIONS, "").shipped("example"));
    static final Key<List<String>> DESTINATION_RANGE =
            add(Key.server("canal.destinations.expr", ValueType.DESTINATION_RANGE, ""));
    static final Key<String> CONF_DIR = add(Key.server("canal.conf.dir", TEXT, "../conf"));
    static final Key<Boolean> AUTO_SCAN =
            add(Key.server("canal.auto.scan", BOOLEAN, "false").shipped("true"));

    // The port where clients pull.
    static final Key<String> LISTEN_ADDRESS = add(Key.server("canal.ip", TEXT, ""));
    static final Key<Integer> PORT = add(Key.server("canal.port", integer(0, 65535), "11111"));
    static final Key<String> USER = add(Key.server("canal.user", TEXT, ""));
    static final Key<Secret> STORED_PASSWORD = add(Key.server("canal.passwd", SECRET, ""));
    static final Key<String> WITHOUT_PORT =
            add(Key.server("canal.withoutNetty", TEXT, "").shipped("false"));
    static final Key<Boolean> ALLOW_ANONYMOUS = add(Key.server("canal.tcp.allow.anonymous", BOOLEAN, "false"));
    static final Key<Integer> MAX_CONNECTIONS =
            add(Key.server("canal.tcp.max.connections", integer(1, 1_000_000), "4096"));
    static final Key<Integer> MAX_UNAUTHENTICATED =
            add(Key.server("canal.tcp.max.unauthenticated", integer(1, 1_000_000), "512"));
    static final Key<Integer> MAX_ACCEPTS =
            add(Key.server("canal.tcp.max.accepts.per.second", integer(1, 1_000_000), "1000"));
    static final Key<Integer> MAX_FRAME = add(Key.server("canal.tcp.max.frame", integer(8192, 1 << 28), "1048576"));
    static final Key<Duration> HANDSHAKE_TIMEOUT = add(Key.server("canal.tcp.handshake.timeout", millis(1), "30000"));
    static final Key<Duration> IDLE_TIMEOUT = add(Key.server("canal.tcp.idle.timeout", millis(1), "3600000"));
    static final Key<Duration> WRITE_TIMEOUT = add(Key.server("canal.tcp.write.timeout", millis(1), "300000"));
    static final Key<Integer> MAX_SUBSCRIPTIONS =
            add(Key.server("canal.tcp.max.subscriptions", integer(1, 65_536), "100"));
    static final PortTlsKeys TCP_TLS = PortTlsKeys.of("canal.tcp.tls.");

    // The port where metrics and health are read.
    static final Key<Integer> METRICS_PORT = add(Key.server("canal.metrics.pull.port", integer(-1, 65535), "11112"));
    /** Ours, as all that follow here. */
    static final Key<String> METRICS_ADDRESS = add(Key.server("canal.metrics.pull.ip", TEXT, ""));

    static final PortTlsKeys METRICS_TLS = PortTlsKeys.of("canal.metrics.tls.");
    static final Key<Duration> STALL_LIMIT = add(Key.server("canal.health.stall.timeout", millis(0), "60000"));

    // The servers that share destinations.
    static final Key<String> ZOOKEEPER = add(Key.server("canal.zkServers", ValueType.ZOOKEEPER_SERVERS, ""));
    static final Key<String> REGISTERED_ADDRESS = add(Key.server("canal.register.ip", TEXT, ""));
    static final Key<Duration> SESSION_TIMEOUT = add(Key.server("canal.zookeeper.session.timeout", millis(1), "15000"));
    static final Key<Duration> BALANCE_DELAY = add(Key.server("canal.zookeeper.balance.delay", millis(0), "30000"));
    static final Key<Boolean> ZOOKEEPER_TLS = add(Key.server("canal.zookeeper.tls.enable", BOOLEAN, "false"));
    static final Key<String> ZOOKEEPER_TRUST = add(Key.server("canal.zookeeper.tls.trustStore", TEXT, ""));
    static final Key<String> ZOOKEEPER_TRUST_TYPE =
            add(Key.server("canal.zookeeper.tls.trustStoreType", TEXT, "PKCS12"));
    static final Key<Secret> ZOOKEEPER_TRUST_PASSWORD =
            add(Key.server("canal.zookeeper.tls.trustStorePassword", SECRET, ""));
    static final Key<String> ZOOKEEPER_KEY = add(Key.server("canal.zookeeper.tls.keyStore", TEXT, ""));
    static final Key<String> ZOOKEEPER_KEY_TYPE = add(Key.server("canal.zookeeper.tls.keyStoreType", TEXT, "PKCS12"));
    static final Key<Secret> ZOOKEEPER_KEY_PASSWORD =
            add(Key.server("canal.zookeeper.tls.keyStorePassword", SECRET, ""));
    static final Key<Boolean> ZOOKEEPER_HOST_NAMES =
            add(Key.server("canal.zookeeper.tls.hostnameVerification", BOOLEAN, "true"));
    static final Key<String> ZOOKEEPER_USER = add(Key.server("canal.zookeeper.auth.user", TEXT, ""));
    static final Key<Secret> ZOOKEEPER_PASSWORD = add(Key.server("canal.zookeeper.auth.password", SECRET, ""));
    static final Key<ZooKeeperAccess.Acl> ZOOKEEPER_ACL =
            add(Key.server("canal.zookeeper.acl", oneOf(ZooKeeperAccess.Acl.class, ZooKeeperAccess.Acl::name), "OPEN"));

    // The queue, for the server as a whole.
    static final Key<Boolean> FLAT_MESSAGE = add(Key.server("canal.mq.flatMessage", BOOLEAN, "true"));
    static final Key<String> FORMAT =
            add(Key.server("canal.mq.format", oneOf(MessageFormats.names().toArray(String[]::new)), ""));
    static final Key<Integer> BATCH_SIZE = add(Key.server("canal.mq.canalBatchSize", integer(1, 1 << 20), "50"));
    static final Key<Integer> GET_TIMEOUT =
            add(Key.server("canal.mq.canalGetTimeout", integer(Integer.MIN_VALUE), "100"));
    static final Key<Boolean> HASH_SCHEMA = add(Key.server("canal.mq.database.hash", BOOLEAN, "true"));
    static final Key<Integer> BUILD_THREADS = add(Key.server("canal.mq.build.thread.size", integer(1, 1024), "8"));
    static final Key<Integer> IN_FLIGHT_BATCHES =
            add(Key.server("canal.mq.inflight.batches", integer(1, 10_000), "128"));

    // An instance: its source.
    static final Key<ServerAddress> ADDRESS = add(Key.instance("canal.instance.master.address", HOST_PORT, ""));
    /** Ours: servers besides master and standby. */
    static final Key<List<ServerAddress>> MORE_HOSTS =
            add(Key.instance("canal.instance.hosts", ValueType.HOST_PORTS, ""));

    static final Key<String> USERNAME =
            add(Key.instance("canal.instance.dbUsername", TEXT, "retl").shipped("canal"));
    static final Key<Secret> PASSWORD =
            add(Key.instance("canal.instance.dbPassword", SECRET, "retl").shipped("canal"));
    static final Key<Boolean> ENCRYPTED_PASSWORD =
            add(Key.instance("canal.instance.enableDruid", WORDY_BOOLEAN, "false"));
    /** Not a secret in itself, but it opens the encrypted password. */
    static final Key<Secret> PASSWORD_KEY = add(Key.instance("canal.instance.pwdPublicKey", SECRET, ""));

    static final Key<String> DATABASE = add(Key.instance("canal.instance.defaultDatabaseName", TEXT, ""));
    static final Key<Charset> CHARSET =
            add(Key.instance("canal.instance.connectionCharset", ValueType.CHARSET, "UTF-8"));
    static final Key<Long> REPLICA_ID =
            add(Key.instance("canal.instance.mysql.slaveId", longInteger(Long.MIN_VALUE, 0xFFFF_FFFFL), "0"));
    static final Key<Boolean> GTID = add(Key.instance("canal.instance.gtidon", WORDY_BOOLEAN, "false"));
    static final Key<String> START_FILE = add(Key.instance("canal.instance.master.journal.name", TEXT, ""));
    static final Key<Long> START_OFFSET =
            add(Key.instance("canal.instance.master.position", longInteger(0, Long.MAX_VALUE), ""));
    static final Key<Long> START_TIME =
            add(Key.instance("canal.instance.master.timestamp", longInteger(0, Long.MAX_VALUE), ""));
    static final Key<String> START_GTID = add(Key.instance("canal.instance.master.gtid", TEXT, ""));
    static final Key<Boolean> RESET_TO_NEWEST =
            add(Key.instance("canal.auto.reset.latest.pos.mode", WORDY_BOOLEAN, "false"));
    /** Ours: whether cursors have the GTID set where the source has one. */
    static final Key<String> POSITION_GTIDS =
            add(Key.instance("canal.instance.position.gtid", oneOf("auto", "off"), "auto"));

    static final Key<Duration> FALLBACK =
            add(Key.instance("canal.instance.fallbackIntervalInSeconds", seconds(0), "60"));
    static final Key<Duration> SILENCE = add(Key.instance("canal.instance.network.soTimeout", seconds(0), "30"));
    /** Ours: after how long without an event the source is to say that it is there. */
    static final Key<Duration> HEARTBEAT = add(Key.instance("canal.instance.network.heartbeatPeriod", seconds(1), ""));

    static final Key<List<String>> BINLOG_FORMATS =
            add(Key.instance("canal.instance.binlog.format", LIST, "").shipped("ROW,STATEMENT,MIXED"));
    static final Key<List<String>> BINLOG_IMAGES =
            add(Key.instance("canal.instance.binlog.image", LIST, "").shipped("FULL,MINIMAL,NOBLOB"));

    // An instance: the connection's protection.
    static final Key<TlsMode> TLS_MODE =
            add(Key.instance("canal.instance.master.sslMode", oneOf(TlsMode.class, TlsMode::name), "DISABLED"));
    static final Key<List<String>> TLS_VERSIONS =
            add(Key.instance("canal.instance.master.tlsVersions", LIST, "TLSv1.2,TLSv1.3"));
    static final Key<String> TRUST_TYPE =
            add(Key.instance("canal.instance.master.trustCertificateKeyStoreType", TEXT, "JKS"));
    static final Key<String> TRUST_URL =
            add(Key.instance("canal.instance.master.trustCertificateKeyStoreUrl", URL_TEXT, ""));
    static final Key<Secret> TRUST_PASSWORD =
            add(Key.instance("canal.instance.master.trustCertificateKeyStorePassword", SECRET, ""));
    static final Key<String> CLIENT_TYPE =
            add(Key.instance("canal.instance.master.clientCertificateKeyStoreType", TEXT, "JKS"));
    static final Key<String> CLIENT_URL =
            add(Key.instance("canal.instance.master.clientCertificateKeyStoreUrl", URL_TEXT, ""));
    static final Key<Secret> CLIENT_PASSWORD =
            add(Key.instance("canal.instance.master.clientCertificateKeyStorePassword", SECRET, ""));

    /** Ours: in which forms the password may be sent. */
    static final Key<Boolean> ALLOW_KEY_RETRIEVAL =
            add(Key.instance("canal.instance.master.allowPublicKeyRetrieval", WORDY_BOOLEAN, "false"));

    static final Key<String> SERVER_KEY_FILE =
            add(Key.instance("canal.instance.master.serverRSAPublicKeyFile", TEXT, ""));
    static final Key<Boolean> ENABLE_CLEARTEXT =
            add(Key.instance("canal.instance.master.enableCleartextPlugin", WORDY_BOOLEAN, "false"));

    static final HostKeys MASTER = new HostKeys(
            ADDRESS,
            START_FILE,
            START_OFFSET,
            START_TIME,
            START_GTID,
            TLS_MODE,
            TLS_VERSIONS,
            TRUST_TYPE,
            TRUST_URL,
            TRUST_PASSWORD,
            CLIENT_TYPE,
            CLIENT_URL,
            CLIENT_PASSWORD,
            ALLOW_KEY_RETRIEVAL,
            SERVER_KEY_FILE,
            ENABLE_CLEARTEXT);
    static final HostKeys STANDBY = MASTER.named(name -> name.replace(".master.", ".standby."));

    // An instance: what it leaves out.
    static final Key<String> INCLUDE = add(Key.instance("canal.instance.filter.regex", TEXT, ".*\\..*"));
    static final Key<String> EXCLUDE =
            add(Key.instance("canal.instance.filter.black.regex", TEXT, "").shipped("mysql\\.slave_.*"));
    static final Key<String> KEEP_COLUMNS = add(Key.instance("canal.instance.filter.field", TEXT, ""));
    static final Key<String> DROP_COLUMNS = add(Key.instance("canal.instance.filter.black.field", TEXT, ""));
    static final Key<Boolean> DROP_TRANSACTION_ENTRIES =
            add(Key.instance("canal.instance.filter.transaction.entry", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> DROP_DCL = add(Key.instance("canal.instance.filter.query.dcl", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> DROP_DML = add(Key.instance("canal.instance.filter.query.dml", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> DROP_DDL = add(Key.instance("canal.instance.filter.query.ddl", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> DROP_DDL_ONLY =
            add(Key.instance("canal.instance.filter.query.ddl.only", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> DROP_OTHER_STATEMENTS =
            add(Key.instance("canal.instance.filter.query.other", WORDY_BOOLEAN, "true"));
    static final Key<Boolean> PARSE_STATEMENTS =
            add(Key.instance("canal.instance.filter.druid.ddl", WORDY_BOOLEAN, "true"));
    static final Key<Boolean> DROP_ROWS = add(Key.instance("canal.instance.filter.rows", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> DROP_INSERTS =
            add(Key.instance("canal.instance.filter.dml.insert", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> DROP_UPDATES =
            add(Key.instance("canal.instance.filter.dml.update", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> DROP_DELETES =
            add(Key.instance("canal.instance.filter.dml.delete", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> SKIP_TABLE_ERRORS =
            add(Key.instance("canal.instance.filter.table.error", WORDY_BOOLEAN, "false"));

    // An instance: how it reads, and what it holds.
    static final Key<Boolean> PARALLEL = add(Key.instance("canal.instance.parser.parallel", WORDY_BOOLEAN, "true"));
    static final Key<Integer> PARSER_THREADS =
            add(Key.instance("canal.instance.parser.parallelThreadSize", integer(1, 1024), ""));
    static final Key<Integer> PARSER_BUFFER =
            add(Key.instance("canal.instance.parser.parallelBufferSize", powerOfTwo(1 << 20), "256"));
    static final Key<Integer> TRANSACTION_SIZE =
            add(Key.instance("canal.instance.transaction.size", powerOfTwo(1 << 24), "1024"));
    static final Key<Boolean> MARIADB_BEGINS =
            add(Key.instance("canal.instance.mariadb.transaction.begin", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> EXACT_DECIMALS =
            add(Key.instance("canal.instance.value.decimal.exact", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> EXACT_BINARY =
            add(Key.instance("canal.instance.value.binary.exact", WORDY_BOOLEAN, "false"));
    static final Key<Boolean> COMPLETE_IMAGES =
            add(Key.instance("canal.instance.value.image.complete", WORDY_BOOLEAN, "false"));
    static final Key<PartialJson> PARTIAL_JSON = add(Key.instance(
            "canal.instance.value.json.partial",
            oneOf(PartialJson.class, form -> form.name().toLowerCase(Locale.ROOT)),
            "document"));
    static final Key<Boolean> STEADY_SQL_TYPES =
            add(Key.instance("canal.instance.value.sqltype.steady", WORDY_BOOLEAN, "false"));
    static final Key<String> XA = add(Key.instance("canal.instance.xa", oneOf("prepared", "committed"), "prepared"));
    static final Key<Integer> XA_MEMORY = add(Key.instance("canal.instance.xa.memory", integer(0, 1 << 30), "8388608"));
    static final Key<ZoneId> TIME_ZONE = add(Key.instance("canal.instance.timezone", ZONE, ""));
    static final Key<Integer> STORE_SLOTS =
            add(Key.instance("canal.instance.memory.buffer.size", powerOfTwo(1 << 24), "16384"));
    static final Key<Integer> STORE_SLOT_BYTES =
            add(Key.instance("canal.instance.memory.buffer.memunit", integer(1, 1 << 20), "1024"));
    static final Key<BatchMode> BATCH_MODE =
            add(Key.instance("canal.instance.memory.batch.mode", oneOf(BatchMode.class, BatchMode::name), "MEMSIZE"));
    static final Key<Boolean> RAW_ENTRY = add(Key.instance("canal.instance.memory.rawEntry", WORDY_BOOLEAN, "true"));
    static final Key<Boolean> DDL_ISOLATION =
            add(Key.instance("canal.instance.get.ddl.isolation", WORDY_BOOLEAN, "false"));

    // An instance: its schema history.
    static final Key<Boolean> HISTORY = add(Key.instance("canal.instance.tsdb.enable", WORDY_BOOLEAN, "true"));
    static final Key<String> HISTORY_URL = add(Key.instance("canal.instance.tsdb.url", TEXT, "")
            .shipped("jdbc:h2:${canal.instance.tsdb.dir}/h2;CACHE_SIZE=1000;MODE=MYSQL;"));
    static final Key<String> HISTORY_USER = add(Key.instance("canal.instance.tsdb.dbUsername", TEXT, "canal"));
    static final Key<Secret> HISTORY_PASSWORD = add(Key.instance("canal.instance.tsdb.dbPassword", SECRET, "canal"));
    static final Key<Integer> SNAPSHOT_HOURS =
            add(Key.instance("canal.instance.tsdb.snapshot.interval", integer(Integer.MIN_VALUE), "24"));
    static final Key<Integer> EXPIRE_HOURS =
            add(Key.instance("canal.instance.tsdb.snapshot.expire", integer(Integer.MIN_VALUE), "360"));

    static final Key<String> ON_MISMATCH = add(Key.instance("canal.instance.schema.onMismatch", MISMATCH, "stop"));
    static final Key<String> RELOAD = add(Key.instance("canal.instance.schema.reload", TEXT, ""));

    // An instance: where it remembers, and where its rows go.
    static final Key<String> DATA_DIR =
            add(Key.instance("canal.file.data.dir", TEXT, "../conf").shipped("${canal.conf.dir}"));
    static final Key<Duration> ZOOKEEPER_FLUSH_PERIOD =
            add(Key.instance("canal.zookeeper.flush.period", millis(1), "1000"));
    static final Key<Duration> FLUSH_PERIOD = add(Key.instance("canal.file.flush.period", millis(1), "1000"));
    static final Key<String> TOPIC =
            add(Key.instance("canal.mq.topic", TEXT, "").shipped("example"));
    static final Key<Integer> PARTITION = add(Key.instance("canal.mq.partition", integer(0), "0"));
    static final Key<String> TOPIC_RULES = add(Key.instance("canal.mq.dynamicTopic", TEXT, ""));
    static final Key<String> HASH_RULES = add(Key.instance("canal.mq.partitionHash", TEXT, ""));
    static final Key<Integer> PARTITIONS = add(Key.instance("canal.mq.partitionsNum", integer(1), ""));
    static final Key<String> COUNT_RULES = add(Key.instance("canal.mq.dynamicTopicPartitionNum", TEXT, ""));
    static final Key<Boolean> ASK_PARTITIONS =
            add(Key.instance("canal.mq.enableDynamicQueuePartition", WORDY_BOOLEAN, "false"));
    /** Ours: the key of a message. */
    static final Key<String> MESSAGE_KEY =
            add(Key.instance("canal.mq.messageKey", TEXT, "").shipped("none"));
    /** Ours: what becomes of an update that changes its key. */
    static final Key<KeyChange> KEY_CHANGE = add(Key.instance(
            "canal.mq.keyChange", oneOf(KeyChange.class, change -> change.name().toLowerCase(Locale.ROOT)), "keep"));
    /** Ours: whether messages have headers that tell their changes apart. */
    static final Key<Boolean> CHANGE_HEADERS = add(Key.instance("canal.mq.event.headers", WORDY_BOOLEAN, "false"));
    /** Ours: where DDL goes among partitions. */
    static final Key<DdlPartition> DDL_PARTITION = add(Key.instance(
            "canal.mq.ddl.partition",
            oneOf(DdlPartition.class, where -> where.name().toLowerCase(Locale.ROOT)),
            "first"));

    static final Key<Boolean> ACCUMULATE_OLD = add(Key.instance("canal.mq.flat.old.accumulate", WORDY_BOOLEAN, "true"));

    // An instance: what does not reach the queue.
    static final Key<OnReject> ON_REJECT =
            add(Key.instance("canal.mq.onReject", oneOf(OnReject.class, OnReject::spelling), "stop"));
    static final Key<OnTopicUnavailable> ON_TOPIC_UNAVAILABLE = add(Key.instance(
            "canal.mq.onTopicUnavailable", oneOf(OnTopicUnavailable.class, OnTopicUnavailable::spelling), "retry"));
    static final Key<String> DEAD_LETTER_TOPIC = add(Key.instance("canal.mq.deadLetter.topic", TEXT, ""));
    static final Key<Duration> FIRST_PAUSE = add(Key.instance("canal.mq.retry.pause.first", millis(1), "100"));
    static final Key<Duration> MAX_PAUSE = add(Key.instance("canal.mq.retry.pause.longest", millis(1), "30000"));
    static final Key<Duration> ANSWER_TIMEOUT = add(Key.instance("canal.mq.answer.timeout", millis(0), "300000"));

    // An instance: whether its source is alive.
    static final Key<Boolean> PROBE = add(Key.instance("canal.instance.detecting.enable", WORDY_BOOLEAN, "false"));
    static final Key<String> PROBE_SQL =
            add(Key.instance("canal.instance.detecting.sql", TEXT, "").shipped("select 1"));
    static final Key<Duration> PROBE_INTERVAL =
            add(Key.instance("canal.instance.detecting.interval.time", seconds(1), "5")
                    .shipped("3"));
    static final Key<Integer> PROBE_RETRIES =
            add(Key.instance("canal.instance.detecting.retry.threshold", integer(0), "3"));
    static final Key<Boolean> PROBE_SWITCHES =
            add(Key.instance("canal.instance.detecting.heartbeatHaEnable", WORDY_BOOLEAN, "false"));

    /** The last parts of {@code canal.instance.<global or a destination>.…}. */
    static final String MODE_SUFFIX = ".mode";

    static final String WIRING_SUFFIX = ".spring.xml";
    static final String LAZY_SUFFIX = ".lazy";
    static final List<String> PER_DESTINATION_SUFFIXES =
            List.of(MODE_SUFFIX, LAZY_SUFFIX, ".manager.address", WIRING_SUFFIX);

    static {
        STANDBY.all().forEach(Keys::add);
        TCP_TLS.all().forEach(Keys::add);
        METRICS_TLS.all().forEach(Keys::add);
        addServerKeysOfLater();
        addInstanceKeysOfLater();
        addKeysOfQueues();
        for (String prefix : List.of("master1", "master2", "standby1", "standby2")) {
            addSourceKeysOfLater("canal.instance." + prefix + ".");
        }
        for (String alias : ProducerKeys.allAliases()) {
            add(Key.server(alias, TEXT, ""));
        }
    }

    private Keys() {}

    /** The key of a name, or null if there is none. */
    static @Nullable Key<?> find(String name) {
        return ALL.get(name);
    }

    static Collection<Key<?>> all() {
        return ALL.values();
    }

    private static <T> Key<T> add(Key<T> key) {
        if (ALL.put(key.name(), key) != null) {
            throw new IllegalStateException("two keys are named " + key.name());
        }
        return key;
    }

    private static void addServerKeysOfLater() {
        add(Key.server("canal.conf", TEXT, "").inert());
        add(Key.server("canal.admin.manager", TEXT, "")
                .refused("configuration from an admin server is not available in this version"));
        add(Key.server("canal.admin.port", integer(0, 65535), "11110").later());
        add(Key.server("canal.admin.user", TEXT, "").shipped("admin").later());
        // The shipped one is the well-known hash of a well-known password: no warning is logged that it is unused.
        add(Key.server("canal.admin.passwd", SECRET, "")
                .shipped("4ACFE3202A5FF5CF467898FC58AAB1D615029441")
                .later());
        add(Key.server("canal.admin.register.auto", BOOLEAN, "false")
                .shipped("true")
                .later());
        add(Key.server("canal.admin.register.cluster", TEXT, "").later());
        add(Key.server("canal.admin.register.name", TEXT, "").later());
        add(Key.server("canal.id", TEXT, "").inert());
        add(Key.server("canal.socketChannel", oneOf("bio", "netty"), "bio").inert());
        add(Key.server("canal.auto.scan.interval", integer(1), "5").later());
        add(Key.server("canal.mq.send.thread.size", integer(1), "30").inert());
        add(Key.server("canal.mq.accessChannel", TEXT, "local").inert());
        add(Key.server("kafka.kerberos.enable", BOOLEAN, "false"));
        add(Key.server("kafka.kerberos.krb5.file", TEXT, ""));
        add(Key.server("kafka.kerberos.jaas.file", TEXT, ""));
    }

    private static void addInstanceKeysOfLater() {
        add(Key.instance("canal.instance.network.receiveBufferSize", integer(1), "16384")
                .inert());
        add(Key.instance("canal.instance.network.sendBufferSize", integer(1), "16384")
                .inert());
        add(Key.instance("canal.instance.multi.stream.on", WORDY_BOOLEAN, "false")
                .refused("PolarDB-X streams are not available in this version"));
        add(Key.instance("canal.instance.tsdb.spring.xml", TEXT, "")
                .shipped("classpath:spring/tsdb/h2-tsdb.xml")
                .inert());
        add(Key.instance("canal.instance.tsdb.dir", TEXT, "")
                .shipped("${canal.file.data.dir:../conf}/${canal.instance.destination:}")
                .inert());
        add(Key.instance("canal.instance.rds.instanceId", TEXT, "").later());
        add(Key.instance("canal.instance.rds.accesskey", SECRET, "").later());
        add(Key.instance("canal.instance.rds.secretkey", SECRET, "").later());
        add(Key.instance("canal.aliyun.accesskey", SECRET, "").later());
        add(Key.instance("canal.aliyun.secretkey", SECRET, "").later());
    }

    private static void addSourceKeysOfLater(String prefix) {
        add(Key.instance(prefix + "address", HOST_PORT, "").later());
        add(Key.instance(prefix + "journal.name", TEXT, "").later());
        add(Key.instance(prefix + "position", longInteger(0, Long.MAX_VALUE), "")
                .later());
        add(Key.instance(prefix + "timestamp", longInteger(0, Long.MAX_VALUE), "")
                .later());
        add(Key.instance(prefix + "gtid", TEXT, "").later());
    }

    /** Keys of connectors, which read them themselves, and keys that canal reads no more. */
    private static void addKeysOfQueues() {
        List<String> names =
                new ArrayList<>(List.of("canal.aliyun.accessKey", "canal.aliyun.secretKey", "canal.aliyun.uid"));
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
            names.add("canal.mq." + name);
        }
        for (String name : names) {
            add(Key.server(name, TEXT, "").inert());
        }
    }
}
