package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.format.flat.FlatFormat;
import io.sluice.format.message.MessageFormat;
import io.sluice.format.message.MessageFormats;
import io.sluice.format.value.PartialJson;
import io.sluice.format.value.ValueOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.auth.PasswordOptions;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.protocol.wire.Scramble;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.server.config.AdminConfig;
import io.sluice.server.config.ClusterConfig;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.CursorConfig;
import io.sluice.server.config.CursorKind;
import io.sluice.server.config.FailureConfig;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.MetricsConfig;
import io.sluice.server.config.MqConfig;
import io.sluice.server.config.OnReject;
import io.sluice.server.config.OnTopicUnavailable;
import io.sluice.server.config.PortTls;
import io.sluice.server.config.ServerConfig;
import io.sluice.server.config.ServerMode;
import io.sluice.server.config.StoreConfig;
import io.sluice.server.config.TcpConfig;
import io.sluice.server.config.ZooKeeperAccess;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Secret;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.BatchMode;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
import io.sluice.stream.source.ProbeOptions;
import io.sluice.stream.source.SourceOptions;
import io.sluice.stream.source.search.LostCursor;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.StartPosition;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
    private static final String SERVER = """
            canal.serverMode = kafka
            canal.destinations = shop
            kafka.bootstrap.servers = 127.0.0.1:9092
            """;
    private static final String INSTANCE = """
            canal.instance.master.address = db:3306
            canal.mq.topic = shop
            """;

    @TempDir
    Path home;

    private final Map<String, String> systemProperties = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();
    private ProducerCheck producerCheck = ProducerCheck.NONE;

    @BeforeEach
    void directories() throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("conf"));
    }

    @Test
    void aMinimalConfigurationGetsTheDefaults() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE);

        Configuration configuration = load();

        assertThat(configuration.warnings()).isEmpty();
        ServerConfig server = configuration.server();
        assertThat(server.mode()).isEqualTo(ServerMode.KAFKA);
        assertThat(server.confDirectory()).isEqualTo(home.resolve("conf"));
        assertThat(server.mq()).isEqualTo(new MqConfig(new FlatFormat(), 8, true));
        assertThat(server.producerProperties()).containsExactly(Map.entry("kafka.bootstrap.servers", "127.0.0.1:9092"));
        InstanceConfig shop = configuration.instances().get(0);
        assertThat(shop.login().address()).isEqualTo(new ServerAddress("db", 3306));
        assertThat(shop.login().user()).isEqualTo("retl");
        assertThat(shop.login().password()).isEqualTo("retl");
        assertThat(shop.login().readTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(shop.login().tls()).isEqualTo(TlsOptions.of(TlsMode.DISABLED));
        assertThat(shop.source().positions()).isEqualTo(PositionOptions.DEFAULT.with(LostCursor.STOP));
        assertThat(shop.source().heartbeatPeriod()).isEqualTo(Duration.ofSeconds(15));
        assertThat(shop.source().failuresBorne()).isEqualTo(3);
        assertThat(shop.source().probe()).isNull();
        assertThat(shop.start()).isEqualTo(new StartPosition.Newest());
        assertThat(shop.filter()).isEqualTo(FilterRules.ALL.withIncluded(".*\\..*"));
        assertThat(shop.stream()).isEqualTo(StreamOptions.DEFAULT.with(spill()));
        assertThat(shop.values()).isEqualTo(ValueOptions.in(ZoneId.systemDefault()));
        assertThat(shop.encoderThreads()).isEqualTo(2);
        assertThat(shop.schema().history())
                .isEqualTo(new HistoryConfig(
                        "shop",
                        HistoryLocation.besideH2(home.resolve("conf/shop/h2"), ""),
                        "canal",
                        "canal",
                        Duration.ofHours(24),
                        Duration.ofHours(360)));
        assertThat(shop.schema().reloaded()).isNull();
        assertThat(shop.store()).isEqualTo(new StoreConfig(RingConfig.growing(false), BatchMode.MEMSIZE, false));
        assertThat(shop.cursor())
                .isEqualTo(new CursorConfig(CursorKind.FILE, home.resolve("conf/shop"), Duration.ofSeconds(1)));
        assertThat(shop.routing().rules().texts()).isEqualTo(RuleTexts.fixed("shop", 0));
        assertThat(shop.routing().keyChange()).isEqualTo(KeyChange.KEEP);
        assertThat(shop.routing().ddlPartition()).isEqualTo(DdlPartition.FIRST);
        assertThat(shop.sender())
                .isEqualTo(new SenderConfig(
                        "shop", BatchLimit.bytes(50 * 1024), Duration.ofMillis(100), 128, Duration.ofMinutes(5)));
        assertThat(shop.failure())
                .isEqualTo(new FailureConfig(
                        OnReject.STOP,
                        OnTopicUnavailable.RETRY,
                        "shop_dead",
                        Duration.ofMillis(100),
                        Duration.ofSeconds(30)));
    }

    @Test
    void thePolicyForRejectedMessagesIsSetForEachInstance() throws Exception {
        server(SERVER + "canal.mq.onReject = skip\ncanal.mq.retry.pause.longest = 2000\n"
                + "canal.mq.onTopicUnavailable = stop\n");
        instance("shop", INSTANCE + "canal.mq.onReject = deadletter\ncanal.mq.deadLetter.topic = attic\n");

        assertThat(load().instances().get(0).failure())
                .isEqualTo(new FailureConfig(
                        OnReject.DEAD_LETTER,
                        OnTopicUnavailable.STOP,
                        "attic",
                        Duration.ofMillis(100),
                        Duration.ofSeconds(2)));
    }

    @ParameterizedTest
    @CsvSource({
        "canal.mq.onReject, shop, it is that of the changes",
        "canal.mq.onTopicUnavailable, shop, it is that of the changes",
        "canal.mq.onReject, no such topic, Kafka takes letters"
    })
    void deadLettersNeedATopicOfTheirOwn(String key, String topic, String why) throws IOException {
        server(SERVER);
        instance("shop", INSTANCE + key + " = deadLetter\ncanal.mq.deadLetter.topic = " + topic + "\n");

        assertThatThrownBy(this::load)
                .hasMessageContaining("canal.mq.deadLetter.topic = " + topic
                        + ": dead letters cannot go to a topic named " + topic + ": " + why);
    }

    @Test
    void wrongPoliciesForFailuresAreProblems() throws IOException {
        server(SERVER);
        instance(
                "shop",
                INSTANCE + "canal.mq.onReject = ignore\ncanal.mq.onTopicUnavailable = wait\n"
                        + "canal.mq.retry.pause.longest = 10\n");

        assertThatThrownBy(this::load)
                .hasMessageContaining("canal.mq.onReject = ignore: must be one of stop, skip, deadLetter")
                .hasMessageContaining(
                        "canal.mq.onTopicUnavailable = wait: must be one of retry, stop, skip, deadLetter")
                .hasMessageContaining(
                        "canal.mq.retry.pause.first (100) must not be above canal.mq.retry.pause.longest (10)");
    }

    @ParameterizedTest
    @CsvSource({
        "Asia/Shanghai, Asia/Shanghai",
        "UTC, UTC",
        "+05:30, +05:30",
        "-8:00, -08:00",
    })
    void theTimeZoneIsANameOrAnOffset(String text, String zone) throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance.timezone = " + text + "\n");

        assertThat(load().instances().get(0).values().zone()).isEqualTo(ZoneId.of(zone));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Asia/Shangai", "CST", "+25:00", "SYSTEM"})
    void anUnknownTimeZoneIsAProblem(String text) throws IOException {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance.timezone = " + text + "\n");

        assertThatThrownBy(this::load)
                .hasMessageContaining(
                        "canal.instance.timezone = " + text + ": must be a time zone, like Asia/Shanghai");
    }

    @Test
    void aGeneratedReplicaIdIsThatOfTheInstanceOfThisServer() throws Exception {
        server(SERVER.replace("shop", "shop,stock"));
        instance("shop", INSTANCE);
        instance("stock", INSTANCE);

        long shop = load().instances().get(0).source().replicaServerId();
        long stock = load().instances().get(1).source().replicaServerId();
        long again = load().instances().get(0).source().replicaServerId();

        assertThat(shop)
                .isBetween(1L, (long) Integer.MAX_VALUE)
                .isEqualTo(again)
                .isNotEqualTo(stock);
    }

    @Test
    void aGeneratedReplicaIdIsAnotherOneInAnotherFolderOfTheSameHost() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE);

        long here = load().instances().get(0).source().replicaServerId();
        long there = load(Files.createDirectories(home.resolve("other")))
                .instances()
                .get(0)
                .source()
                .replicaServerId();

        assertThat(there).isNotEqualTo(here);
    }

    @Test
    void theEnvironmentWinsOverFilesAndTheJvmOverTheEnvironment() throws Exception {
        server(SERVER + "canal.mq.canalBatchSize = 1\ncanal.mq.canalGetTimeout = 1\n");
        instance("shop", INSTANCE + "canal.instance.dbUsername = file\ncanal.instance.dbPassword = file\n");
        variables.put("canal.mq.canalBatchSize", "2");
        variables.put("canal.mq.canalGetTimeout", "2");
        variables.put("canal.instance.dbUsername", "env");
        variables.put("canal.instance.dbPassword", "env");
        systemProperties.put("canal.mq.canalGetTimeout", "3");
        systemProperties.put("canal.instance.dbPassword", "jvm");

        Configuration configuration = load();

        InstanceConfig shop = configuration.instances().get(0);
        assertThat(shop.sender().batchLimit()).isEqualTo(BatchLimit.bytes(2 * 1024));
        assertThat(shop.sender().getTimeout()).isEqualTo(Duration.ofMillis(3));
        assertThat(shop.login().user()).isEqualTo("env");
        assertThat(shop.login().password()).isEqualTo("jvm");
    }

    @Test
    void aBlankVariableHidesTheFileForTheServerButNotForAnInstance() throws Exception {
        server(SERVER + "canal.mq.canalBatchSize = 1\n");
        instance("shop", INSTANCE + "canal.instance.dbUsername = file\n");
        variables.put("canal.mq.canalBatchSize", "");
        variables.put("canal.instance.dbUsername", "");

        Configuration configuration = load();

        InstanceConfig shop = configuration.instances().get(0);
        assertThat(shop.sender().batchLimit()).isEqualTo(BatchLimit.bytes(50 * 1024));
        assertThat(shop.login().user()).isEqualTo("file");
    }

    @Test
    void anInstanceTakesTheServersValueUnlessItsOwnFileHasTheKeyEvenBlank() throws Exception {
        server(SERVER.replace("shop", "shop,stock,till") + "canal.instance.dbUsername = all\n");
        instance("shop", INSTANCE);
        instance("stock", INSTANCE.replace("db:", "db2:") + "canal.instance.dbUsername = own\n");
        instance("till", INSTANCE.replace("db:", "db3:") + "canal.instance.dbUsername =\n");

        List<String> names = load().instances().stream()
                .map(instance -> instance.login().user())
                .toList();

        assertThat(names).containsExactly("all", "own", "retl");
    }

    @Test
    void placeholdersOfAnInstanceAreResolvedRecursively() throws Exception {
        server(SERVER + "canal.conf.dir = ../conf\ncanal.file.data.dir = ${canal.conf.dir}/../data\nteam = blue\n");
        instance("shop", """
                canal.instance.master.address = ${db.host:${team:red}-db}:3306
                canal.mq.topic = ${team}.${canal.instance.destination}${nowhere}
                """);

        InstanceConfig shop = load().instances().get(0);

        assertThat(shop.login().address()).hasToString("blue-db:3306");
        assertThat(shop.routing().topic()).isEqualTo("blue.shop");
        assertThat(shop.cursor().directory()).isEqualTo(home.resolve("data/shop"));
    }

    @Test
    void placeholdersOfTheServerStayAsTheyAre() throws Exception {
        server(SERVER + "kafka.ssl.key.password = ${file:/run/secrets:kafka}\n");
        instance("shop", INSTANCE);

        assertThat(load().server().producerProperties())
                .containsEntry("kafka.ssl.key.password", "${file:/run/secrets:kafka}");
    }

    @Test
    void oldNamesOfKafkaKeysWinOverTheNewOnes() throws Exception {
        server(SERVER + "canal.mq.servers = old:9092\nkafka.acks = all\nkafka.kerberos.enable = false\n");
        instance("shop", INSTANCE);
        variables.put("kafka.linger.ms", "5");

        assertThat(load().server().producerProperties())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "kafka.bootstrap.servers", "old:9092",
                        "kafka.acks", "all",
                        "kafka.kerberos.enable", "false",
                        "kafka.linger.ms", "5"));
    }

    /** Such as {@code rocketmq.client.logUseSlf4j}, by which RocketMQ's client is told where to log. */
    @Test
    void anOptionOfTheJvmThatBeginsLikeAKeyOfTheConnectorIsLeftToItsClient() throws Exception {
        server(SERVER.replace("= kafka", "= rocketMQ").replace("kafka.bootstrap.servers", "rocketmq.namesrv.addr"));
        instance("shop", INSTANCE);
        systemProperties.put("rocketmq.client.logUseSlf4j", "true");
        systemProperties.put("rocketmq.tag", "binlog");
        variables.put("rocketmq.client.logLevel", "WARN");
        producerCheck = new ProducerCheck() {
            @Override
            public Optional<MessageProducerFactory> configure(
                    ServerMode mode, Map<String, String> properties, BiConsumer<String, String> problems) {
                properties.keySet().stream()
                        .filter(key -> !knows(mode, key))
                        .forEach(key -> problems.accept(key, "there is no such key"));
                return Optional.empty();
            }

            @Override
            public boolean knows(ServerMode mode, String key) {
                return Set.of("rocketmq.namesrv.addr", "rocketmq.tag").contains(key);
            }
        };

        Configuration configuration = load();

        assertThat(configuration.server().producerProperties())
                .containsOnlyKeys("rocketmq.namesrv.addr", "rocketmq.tag");
        assertThat(configuration.warnings())
                .containsExactlyInAnyOrder(
                        "system property: rocketmq.client.logUseSlf4j is no key of the connector, so only the client of the broker may read it",
                        "environment variable: rocketmq.client.logLevel is no key of the connector, so only the client of the broker may read it");
    }

    @Test
    void formerOptionsOfTheProducerHaveNoEffect() throws Exception {
        server(SERVER + "canal.mq.properties.sasl.mechanism = PLAIN\ncanal.mq.properties. = x\n");
        instance("shop", INSTANCE);

        assertThat(load().warnings()).isEmpty();
    }

    @Test
    void theOptionOfTheJvmForSemiSynchronousReplicationIsAWarning() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE);
        systemProperties.put("db.semi", "0");
        assertThat(load().warnings()).isEmpty();

        systemProperties.put("db.semi", "1");

        assertThat(load().warnings()).singleElement().asString().contains("db.semi = 1 has no effect");
    }

    @Test
    void anyPortOfMetricsThatIsNotPositiveIsNone() throws Exception {
        server(SERVER + "canal.metrics.pull.port = -5\n");
        instance("shop", INSTANCE);

        assertThat(load().server().metrics()).isEmpty();
    }

    @Test
    void aStandbyThatIsTheMasterIsAWarning() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance.standby.address = db:3306\n");

        Configuration configuration = load();

        assertThat(configuration.instances().get(0).source().hosts()).hasSize(1);
        assertThat(configuration.warnings())
                .singleElement()
                .asString()
                .contains(
                        "canal.instance.standby.address = db:3306 has no effect, since it is canal.instance.master.address");
    }

    @Test
    void aStandbyIsOneHost() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance.standby.address = h1,h2:3306\n");

        assertThat(problems())
                .singleElement()
                .asString()
                .contains("canal.instance.standby.address = h1,h2:3306: must be host:port");
    }

    @Test
    void automaticScanningFindsTheInstancesThatHaveAFile() throws Exception {
        server(SERVER + "canal.auto.scan = true\n");
        instance("shop", INSTANCE);
        instance("audit", INSTANCE.replace("db:", "db2:"));
        instance("spring", "");

        assertThat(load().server().destinations()).containsExactly("shop", "audit");
    }

    @Test
    void automaticScanningLeavesOutANamedInstanceWithoutAFileAndSaysHowToBringItBack() throws Exception {
        server(SERVER.replace("= shop", "= shop, gone") + "canal.auto.scan = true\ncanal.instance.gone.lazy = false\n");
        instance("shop", INSTANCE);

        Configuration configuration = load();

        assertThat(configuration.server().destinations()).containsExactly("shop");
        assertThat(configuration.warnings())
                .singleElement()
                .asString()
                .contains(
                        home.resolve("conf/gone/instance.properties").toString(),
                        "there is no such file, so the instance gone does not run",
                        "create it",
                        "canal.destinations");
    }

    /** canal starts every folder but {@code spring}, so one that is left out silently would be an instance that is missing. */
    @ParameterizedTest
    @ValueSource(strings = {"shop@1", "my shop", "a+b"})
    void automaticScanningReportsAFolderThatNoInstanceCanBeNamedAfter(String name) throws Exception {
        server(SERVER + "canal.auto.scan = true\n");
        instance("shop", INSTANCE);
        instance(name, INSTANCE.replace("db:", "db2:"));

        assertThat(problems())
                .singleElement()
                .asString()
                .contains("conf/" + name + "/instance.properties", "no instance can be named \"" + name + "\"");
    }

    @Test
    void automaticScanningLeavesOutHiddenFolders() throws Exception {
        server(SERVER + "canal.auto.scan = true\n");
        instance("shop", INSTANCE);
        instance(".git", INSTANCE);

        assertThat(load().server().destinations()).containsExactly("shop");
        assertThat(load().warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mode = spring",
                "lazy = false",
                "spring.xml = classpath:spring/file-instance.xml",
                "manager.address = 127.0.0.1:8089"
            })
    void aKeyOfAnInstanceThatWasRemovedIsAWarning(String setting) throws Exception {
        server(SERVER + "canal.instance.closed-down." + setting + "\n");
        instance("shop", INSTANCE);

        Configuration configuration = load();

        assertThat(configuration.instances()).hasSize(1);
        assertThat(configuration.warnings())
                .singleElement()
                .asString()
                .contains(
                        "canal.properties:4",
                        "canal.instance.closed-down." + setting.replaceFirst(" .*", ""),
                        "has no effect, since there is no instance closed-down");
    }

    @Test
    void aKeyOfAnInstanceWhoseFolderIsGoneIsAWarning() throws Exception {
        server(SERVER + "canal.auto.scan = true\ncanal.instance.closed-down.lazy = false\n");
        instance("shop", INSTANCE);
        instance("closed-down", INSTANCE.replace("db:", "db2:"));
        assertThat(load().warnings()).isEmpty();

        Files.delete(home.resolve("conf/closed-down/instance.properties"));

        assertThat(load().warnings()).singleElement().asString().contains("there is no instance closed-down");
    }

    @Test
    void aMisspeltKeyOfAllInstancesIsAWarningThatSaysWhatWasMeant() throws Exception {
        server(SERVER + "canal.instance.golbal.lazy = true\n");
        instance("shop", INSTANCE);

        assertThat(load().warnings())
                .singleElement()
                .asString()
                .contains("there is no instance golbal; did you mean canal.instance.global.lazy?");
    }

    @Test
    void aMisspeltKeyThatOnlyEndsLikeThoseOfAnInstanceIsAProblem() throws Exception {
        server(SERVER + "canal.instance.memory.bacth.mode = ITEMSIZE\ncanal.instance.a b.lazy = true\n");
        instance("shop", INSTANCE);

        assertThat(problems())
                .satisfiesExactly(
                        slip -> assertThat(slip)
                                .contains("there is no such key; did you mean canal.instance.memory.batch.mode?"),
                        noName -> assertThat(noName).contains("canal.instance.a: there is no such key"));
    }

    @Test
    void aRenamedFolderGivesOneInstance() throws Exception {
        server(SERVER + "canal.auto.scan = true\n" + INSTANCE);
        instance("renamed", "");

        assertThat(load().server().destinations()).containsExactly("renamed");
    }

    @Test
    void automaticScanningThatFindsNoInstanceAtAllIsAProblem() throws Exception {
        server(SERVER + "canal.auto.scan = true\n" + INSTANCE);

        assertThat(problems())
                .singleElement()
                .asString()
                .contains("conf/shop/instance.properties", "there is no such file, so the instance shop does not run");
    }

    @Test
    void automaticScanningOfADirectoryThatIsNotThereIsAProblem() throws Exception {
        server(SERVER + "canal.auto.scan = true\ncanal.conf.dir = ../away\n" + INSTANCE);

        assertThat(problems())
                .anySatisfy(problem -> assertThat(problem).contains("away", "there is no such directory"));
    }

    @Test
    void withoutAutomaticScanningAnInstanceNeedsNoFileOfItsOwnAndThatIsSaid() throws Exception {
        server(SERVER + INSTANCE);

        Configuration configuration = load();

        assertThat(configuration.instances()).hasSize(1);
        assertThat(configuration.warnings())
                .singleElement()
                .asString()
                .contains("conf/shop/instance.properties", "there is no such file", "only the settings of");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileThatMayBeThereButCannotBeSeenIsAProblemAndNotAnEmptyFile(boolean scan) throws Exception {
        server(SERVER + "canal.auto.scan = " + scan + "\n" + INSTANCE);
        Path folder = Files.createDirectories(home.resolve("conf/shop"));
        Files.createSymbolicLink(folder.resolve("instance.properties"), Path.of("instance.properties")); // a loop

        assertThat(problems())
                .singleElement()
                .asString()
                .contains("conf/shop/instance.properties", "the file cannot be read");
    }

    /** Such as one of a backup, in which the server may not search. */
    @Test
    void aDirectoryThatIsNotNamedIsNoInstanceIfItsFileCannotBeSeen() throws Exception {
        server(SERVER + "canal.auto.scan = true\n");
        instance("shop", INSTANCE);
        Path folder = Files.createDirectories(home.resolve("conf/backup"));
        Files.createSymbolicLink(folder.resolve("instance.properties"), Path.of("instance.properties")); // a loop

        assertThat(load().server().destinations()).containsExactly("shop");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstLine() throws Exception {
        server("\uFEFF#### written by an editor of Windows\n" + SERVER);
        instance("shop", "\uFEFFcanal.mq.topic = marked\n" + INSTANCE.replaceAll("canal.mq.topic.*\n", ""));

        Configuration configuration = load();

        assertThat(configuration.warnings()).isEmpty();
        assertThat(configuration.instances().get(0).routing().topic()).isEqualTo("marked");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "canal.instance.filter.black.field ; shop.people:secret",
                "canal.instance.filter.field ; shop.people:id/name",
            })
    void textsOfDmlThatHaveWhatTheListsLeaveOutAreAWarning(String key, String list) throws Exception {
        String setting = key + " = " + list + "\n";
        server(SERVER);
        instance("shop", INSTANCE + setting);
        assertThat(load().warnings())
                .singleElement()
                .asString()
                .contains(key, "texts of DML", "set canal.instance.filter.query.dml = true");

        instance("shop", INSTANCE + setting + "canal.instance.filter.query.dml = true\n");
        assertThat(load().warnings()).isEmpty();

        instance("shop", INSTANCE + setting);
        server(SERVER + "canal.mq.format = debezium\n");
        assertThat(load().warnings()).isEmpty();
    }

    @Test
    void textsOfDmlAreNoWarningWhereOnlyTablesAreLeftOut() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + """
                canal.instance.filter.regex = shop\\\\..*
                canal.instance.filter.black.regex = mysql\\\\.slave_.*
                """);

        assertThat(load().warnings()).isEmpty();
    }

    @Test
    void threadsThatDecodeForClientsHaveNoEffectWithAQueueAndThatIsSaid() throws Exception {
        instance("shop", INSTANCE + "canal.instance.parser.parallelThreadSize = 4\n");
        server(SERVER + "canal.instance.parser.parallel = true\n");
        assertThat(load().warnings())
                .singleElement()
                .asString()
                .contains("canal.instance.parser.parallelThreadSize", "has no effect", "canal.mq.build.thread.size");

        server(SERVER.replace("kafka\n", "tcp\n") + "canal.ip = 127.0.0.1\n");
        assertThat(load().warnings()).noneMatch(warning -> warning.contains("parallelThreadSize"));
    }

    @Test
    void aRangeOfDestinationsIsExpanded() throws Exception {
        server(SERVER + "canal.destinations.expr = shop{2-4}\ncanal.mq.topic = t\ncanal.instance.mysql.slaveId = 0\n");
        variables.put("canal.instance.master.address", "[::1]:3306");

        Configuration configuration = load();

        assertThat(configuration.server().destinations()).containsExactly("shop2", "shop3", "shop4");
        assertThat(configuration.instances().get(0).login().address()).isEqualTo(new ServerAddress("::1", 3306));
    }

    @Test
    void theStartIsAPosition() throws Exception {
        String gtidSet = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5";
        assertThat(startOf("master.journal.name = mysql-bin.000007\ncanal.instance.master.position = 1042"))
                .isEqualTo(new StartPosition.At(new BinlogPosition("mysql-bin.000007", 1042), null));
        assertThat(startOf("master.journal.name = mysql-bin.000007"))
                .isEqualTo(new StartPosition.At(new BinlogPosition("mysql-bin.000007", 4), null));
        assertThat(startOf("gtidon = true\ncanal.instance.master.journal.name = mysql-bin.000007"
                        + "\ncanal.instance.master.gtid = " + gtidSet))
                .isEqualTo(new StartPosition.At(new BinlogPosition("mysql-bin.000007", 4), gtidSet));
    }

    @Test
    void theStartMayBeATimeASetOrAWord() throws Exception {
        assertThat(startOf("gtidon = true\ncanal.instance.master.gtid = 3e11fa47-71ca-11e1-9e33-c80aa9429562:1"))
                .isEqualTo(new StartPosition.After("3e11fa47-71ca-11e1-9e33-c80aa9429562:1"));
        assertThat(startOf("master.gtid = 3e11fa47-71ca-11e1-9e33-c80aa9429562:1"))
                .isEqualTo(new StartPosition.Newest());
        assertThat(startOf("master.timestamp = 1700000000123"))
                .isEqualTo(new StartPosition.Since(null, Instant.ofEpochMilli(1_700_000_000_123L)));
        assertThat(startOf("master.journal.name = bin.000007\ncanal.instance.master.timestamp = 1700000000000"))
                .isEqualTo(new StartPosition.Since("bin.000007", Instant.ofEpochMilli(1_700_000_000_000L)));
        assertThat(startOf("master.journal.name = earliest")).isEqualTo(new StartPosition.Earliest());
        assertThat(startOf("master.journal.name = latest")).isEqualTo(new StartPosition.Newest());
        assertThatThrownBy(() -> startOf("master.journal.name = earliest\ncanal.instance.master.position = 4"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no other key may");
        assertThatThrownBy(() -> startOf("master.journal.name = bin.000007\ncanal.instance.master.position = 3"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is before the first event of every file, which is at 4");
    }

    @Test
    void anInstanceMayHaveSeveralHosts() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + """
                        canal.instance.standby.address = standby:3306
                        canal.instance.standby.sslMode = required
                        canal.instance.hosts = third:3307, [::1]:3308
                        canal.instance.master.journal.name = bin.000007
                        canal.instance.master.timestamp = 1700000000000
                        canal.instance.standby.journal.name = bin.000001
                        """);

        List<SourceHost> hosts = load().instances().get(0).source().hosts();

        assertThat(hosts)
                .extracting(host -> host.login().address().toString())
                .containsExactly("db:3306", "standby:3306", "third:3307", "[::1]:3308");
        assertThat(hosts)
                .extracting(host -> host.login().tls().mode())
                .containsExactly(TlsMode.DISABLED, TlsMode.REQUIRED, TlsMode.DISABLED, TlsMode.DISABLED);
        assertThat(hosts.get(1).start()).isEqualTo(new StartPosition.At(new BinlogPosition("bin.000001", 4), null));
        assertThat(hosts.get(2).start())
                .isEqualTo(new StartPosition.Since(null, Instant.ofEpochMilli(1_700_000_000_000L)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "filter.query.dcl = true                                     ; QUERY_STATEMENTS",
                "filter.query.dml = true                                     ; DML_STATEMENTS",
                "filter.query.ddl = true                                     ; ALL_STATEMENTS",
                "filter.rows = true                                          ; ROWS",
                "filter.dml.insert = true                                    ; INSERTS",
                "filter.dml.update = true                                    ; UPDATES",
                "filter.dml.delete = true                                    ; DELETES",
                "filter.table.error = true                                   ; MISMATCHED_ROWS",
                "schema.onMismatch = skip                                    ; MISMATCHED_ROWS",
                "filter.transaction.entry = true                             ; TRANSACTION_BOUNDARIES",
            })
    void eachSwitchOmitsOneKindOfEntry(String setting, Omitted kind) throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance." + setting + "\n");

        assertThat(load().instances().get(0).stream().omitted())
                .containsExactlyInAnyOrder(
                        Omitted.OTHER_STATEMENTS, Omitted.UNREAD_STATEMENTS_OF_EXCLUDED_TABLES, kind);
    }

    @Test
    void theSwitchForDdlNeedNotApplyToDml() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + """
                        canal.instance.filter.query.ddl = true
                        canal.instance.filter.query.ddl.only = true
                        """);

        assertThat(load().instances().get(0).stream().omitted())
                .containsExactlyInAnyOrder(
                        Omitted.OTHER_STATEMENTS, Omitted.UNREAD_STATEMENTS_OF_EXCLUDED_TABLES, Omitted.DDL_STATEMENTS);
    }

    @Test
    void optionsOfTheStreamAreSetByTheirKeys() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + """
                        canal.mq.flat.old.accumulate = false
                        canal.instance.mariadb.transaction.begin = true
                        canal.instance.value.json.partial = function
                        canal.instance.value.image.complete = true
                        canal.instance.xa = committed
                        canal.instance.xa.memory = 4711
                        canal.instance.transaction.spill.max = 0
                        """);

        assertThat(load().instances().get(0).stream())
                .isEqualTo(StreamOptions.DEFAULT
                        .withAccumulatedOld(false)
                        .withMariaDbBegins(true)
                        .with(PartialJson.FUNCTION)
                        .with(new PartialImagePolicy(true, PartialImagePolicy.Reported.NONE, false, ""))
                        .with(new XaHolding(home.resolve("conf/shop/xa"), 4711)));
    }

    @Test
    void eachOptionOfValuesIsSetByItsKey() throws Exception {
        ValueOptions asCanal = ValueOptions.in(ZoneId.systemDefault());
        assertThat(valuesOf("value.decimal.exact = true")).isEqualTo(asCanal.withExactDecimals(true));
        assertThat(valuesOf("value.binary.exact = true")).isEqualTo(asCanal.withExactBinary(true));
        assertThat(valuesOf("value.json.exact = true")).isEqualTo(asCanal.withExactJson(true));
        assertThat(valuesOf("value.sqltype.steady = true")).isEqualTo(asCanal.withSteadySqlTypes(true));
        assertThat(valuesOf("connectionCharset = GBK")).isEqualTo(asCanal.withFallbackCharset("gbk"));
    }

    @Test
    void debeziumsEnvelopeHasExactJsonWhateverIsConfigured() throws Exception {
        server(SERVER + "canal.mq.format = debezium\n");
        instance("shop", INSTANCE + "canal.instance.value.json.exact = false\n");
        assertThat(load().instances().get(0).values().exactJson()).isTrue();

        server(SERVER + "canal.mq.format = flat\n");
        assertThat(load().instances().get(0).values().exactJson()).isFalse();
    }

    /** Else texts would be decoded as UTF-8, and lose their other characters. */
    @ParameterizedTest
    @CsvSource({"GB2312, gb2312", "EUC-KR, euckr", "Shift_JIS, sjis", "windows-1251, cp1251", "UTF-16, utf16"})
    void textsMayBeInAnyCharacterSetOfMySql(String charset, String mysqlName) throws Exception {
        assertThat(valuesOf("connectionCharset = " + charset).fallbackCharset()).isEqualTo(mysqlName);
    }

    private ValueOptions valuesOf(String setting) throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance." + setting + "\n");
        return load().instances().get(0).values();
    }

    @Test
    void aLostCursorStopsOnlyAnInstanceThatMustHaveOne() throws Exception {
        assertThat(lostCursor("")).isEqualTo(LostCursor.STOP);
        assertThat(lostCursor("canal.instance.global.spring.xml = classpath:spring/memory-instance.xml\n"))
                .isEqualTo(LostCursor.NONE);
        assertThat(lostCursor("canal.serverMode = tcp\ncanal.ip = 127.0.0.1\n")).isEqualTo(LostCursor.WARN);

        CursorConfig cursor = load().instances().get(0).cursor();
        assertThat(cursor.isEmptied()).isFalse();
        Path file = home.resolve("conf/shop/meta.dat");
        Files.writeString(file, "{\"clientDatas\":[],\"destination\":\"shop\"}");
        assertThat(cursor.isEmptied()).isTrue();
        assertThat(new CursorConfig(CursorKind.ZOOKEEPER, cursor.directory(), cursor.flushPeriod()).isEmptied())
                .isFalse();
        Files.writeString(file, """
                {"clientDatas":[{"clientIdentity":{"clientId":1001,"destination":"shop","filter":""}}],"destination":"shop"}""");
        assertThat(cursor.isEmptied())
                .as("a start without the cursor has failed")
                .isFalse();
    }

    private LostCursor lostCursor(String more) throws Exception {
        server(SERVER + more);
        instance("shop", INSTANCE);
        return load().instances().get(0).source().positions().lostCursor();
    }

    @Test
    void positionsAndTheProbeAreSetByTheirKeys() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + """
                        canal.instance.gtidon = true
                        canal.instance.position.gtid = off
                        canal.instance.position.onLost = newest
                        canal.auto.reset.latest.pos.mode = true
                        canal.instance.fallbackIntervalInSeconds = 7
                        canal.instance.detecting.enable = true
                        canal.instance.detecting.sql = select 2
                        canal.instance.detecting.interval.time = 9
                        canal.instance.detecting.retry.threshold = 5
                        canal.instance.detecting.heartbeatHaEnable = true
                        canal.instance.binlog.format = row, mixed
                        canal.instance.binlog.image = full
                        """);

        SourceOptions source = load().instances().get(0).source();

        assertThat(source.positions())
                .isEqualTo(new PositionOptions(true, false, true, Duration.ofSeconds(7), LostCursor.WARN));
        assertThat(source.probe()).isEqualTo(new ProbeOptions("select 2", Duration.ofSeconds(9), 5, true));
        assertThat(source.failuresBorne()).isEqualTo(5);
        assertThat(source.acceptedFormats()).containsExactly("ROW", "MIXED");
        assertThat(source.acceptedImages()).containsExactly("FULL");
    }

    @Test
    void aKeyStoreOfAnotherTypeIsRejected() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + """
                        canal.instance.master.trustCertificateKeyStoreUrl = file:/etc/trust.p12
                        canal.instance.master.trustCertificateKeyStoreType = floppy
                        """);

        assertThat(problems())
                .singleElement()
                .asString()
                .contains("trustCertificateKeyStoreUrl")
                .contains("unknown type: FLOPPY");
    }

    @Test
    void heartbeatsComeBeforeTheReadTimeout() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance.network.soTimeout = 8\n");
        InstanceConfig shop = load().instances().get(0);
        assertThat(shop.login().readTimeout()).isEqualTo(Duration.ofSeconds(8));
        assertThat(shop.source().heartbeatPeriod()).isEqualTo(Duration.ofSeconds(4));

        instance("shop", INSTANCE + "canal.instance.network.heartbeatPeriod = 30\n");
        assertThatThrownBy(this::load)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("must be shorter than canal.instance.network.soTimeout (30)");
    }

    private StartPosition startOf(String lines) throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance." + lines + "\n");
        return load().instances().get(0).start();
    }

    @Test
    void aStoreWithAUrlIsUsedThoughItsTypeIsBlank() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + """
                        canal.instance.master.sslMode = verify_ca
                        canal.instance.master.trustCertificateKeyStoreUrl = file:/etc/trust.p12
                        canal.instance.master.trustCertificateKeyStorePassword = changeit
                        """);

        TlsOptions tls = load().instances().get(0).login().tls();

        assertThat(tls)
                .isEqualTo(TlsOptions.of(TlsMode.VERIFY_CA)
                        .withTrust(new KeyStoreFile("JKS", "file:/etc/trust.p12", "changeit")));
    }

    @Test
    void eachHostHasItsRulesForThePassword() throws Exception {
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder()
                        .encodeToString(KeyPairGenerator.getInstance("RSA")
                                .generateKeyPair()
                                .getPublic()
                                .getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        Files.writeString(home.resolve("conf/master.pem"), pem);
        server(SERVER);
        instance("shop", INSTANCE + """
                        canal.instance.standby.address = db2:3306
                        canal.instance.hosts = db3:3306
                        canal.instance.master.serverRSAPublicKeyFile = ../conf/master.pem
                        canal.instance.master.enableCleartextPlugin = true
                        canal.instance.standby.allowPublicKeyRetrieval = true
                        """);

        InstanceConfig shop = load().instances().get(0);

        PasswordOptions ofMaster = new PasswordOptions(false, home.resolve("conf/master.pem"), true);
        assertThat(shop.source().hosts())
                .extracting(host -> host.login().passwords())
                .containsExactly(ofMaster, new PasswordOptions(true, null, false), ofMaster);
    }

    @Test
    void aKeyOfAServerThatCannotBeReadIsReported() throws Exception {
        Files.writeString(home.resolve("conf/none.pem"), "no key");
        server(SERVER);
        instance("shop", INSTANCE + """
                        canal.instance.master.serverRSAPublicKeyFile = ../conf/missing.pem
                        canal.instance.standby.address = db2:3306
                        canal.instance.standby.serverRSAPublicKeyFile = ../conf/none.pem
                        canal.instance.tsdb.url = jdbc:mysql://db:3306/h?serverRSAPublicKeyFile=../conf/gone.pem
                        """);

        assertThat(problems()).hasSize(3);
        assertThat(problems().get(0)).contains(":3: ", "missing.pem cannot be read");
        assertThat(problems().get(1)).contains(":5: ", "none.pem holds no RSA public key in PEM");
        assertThat(problems().get(2)).contains(":6: canal.instance.tsdb.url", "gone.pem cannot be read");
    }

    @ParameterizedTest
    @CsvSource({
        "useSSL=true&requireSSL=on, which must be true or false",
        "sslMode=VERIFY_CA&tlsCiphersuites=x, has the parameter tlsCiphersuites",
        "sslMode=VERIFY_CA&trustCertificateKeyStoreUrl=file:/none.p12&trustCertificateKeyStorePassword=hunter2, /none.p12: there is no such file",
        "sslMode=REQUIRED&clientCertificateKeyStoreUrl=file:/own.pem, /own.pem: there is no such file",
    })
    void tlsOfTheSchemaHistoryThatCannotBeUsedIsReportedWithTheRest(String parameters, String problem)
            throws Exception {
        server(SERVER + "canal.mq.format = none\n");
        instance("shop", INSTANCE + "canal.instance.tsdb.url = jdbc:mysql://db:3306/h?" + parameters + "\n");

        assertThat(problems())
                .hasSize(2)
                .anySatisfy(one -> assertThat(one)
                        .contains(":3: canal.instance.tsdb.url", problem)
                        .doesNotContain("hunter2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sslMode=DISABLED&trustCertificateKeyStoreUrl=file:/none.p12&clientCertificateKeyStoreUrl=file:/none.p12",
                "useSSL=false&clientCertificateKeyStoreUrl=file:/none.p12",
                "sslMode=PREFERRED&trustCertificateKeyStoreUrl=file:/none.p12",
                "sslMode=REQUIRED&trustCertificateKeyStoreUrl=file:/none.p12",
            })
    void aKeyStoreThatTheModeOfTlsDoesNotUseNeedNotExist(String parameters) throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance.tsdb.url = jdbc:mysql://db:3306/h?" + parameters + "\n");

        assertThat(load().instances()).hasSize(1);
    }

    @Test
    void anUrlOfTheSchemaHistoryThatDoesNotSayWhetherTheServerIsVerifiedIsWarnedOf() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance.tsdb.url = jdbc:mysql://db:3306/h?useSSL=true\n");

        assertThat(load().warnings())
                .anySatisfy(warning -> assertThat(warning)
                        .contains(":3: canal.instance.tsdb.url has useSSL=true and does not say", "shop"));
    }

    @ParameterizedTest
    @CsvSource({
        "canal.mq.flatMessage = true,   flat",
        "canal.mq.flatMessage = false,  protobuf",
        "canal.mq.format = protobuf,    protobuf",
        "canal.mq.format = flat,        flat",
        "canal.mq.format =,             flat",
    })
    void theFormatIsNamedOrCanals(String line, String name) throws Exception {
        server(SERVER + line + "\n");
        instance("shop", INSTANCE);

        MessageFormat format = load().server().mq().format();

        assertThat(format.name()).isEqualTo(name);
    }

    @Test
    void aNamedFormatWinsOverFlatMessage() throws Exception {
        server(SERVER + "canal.mq.flatMessage = true\ncanal.mq.format = protobuf\n");
        instance("shop", INSTANCE);

        assertThat(load().server().mq().inPackets()).isTrue();
    }

    @Test
    void anUnknownFormatIsAProblem() throws Exception {
        server(SERVER + "canal.mq.format = morse\n");
        instance("shop", INSTANCE);

        assertThatThrownBy(this::load)
                .hasMessageContaining(
                        "canal.mq.format = morse: must be one of " + String.join(", ", MessageFormats.names()));
    }

    @Test
    void allProblemsAreReportedAtOnce() throws Exception {
        server("""
                # a comment
                canal.serverMode = pigeon
                canal.destinations = shop, till
                canal.prot = 11111
                canal.mq.flatMessage = yes
                canal.instance.memory.buffer.size = 1000
                canal.zkServers = zk 2181
                canal.instance.global.spring.xml = classpath:spring/group-instance.xml
                mailto = ops@example.com
                """);
        instance("shop", """
                canal.instance.master.address = db
                canal.instance.dbPasword = hunter2
                canal.instance.filter.field = \\
                    shop.users/id
                """);

        ConfigException failure = catchThrowableOfType(ConfigException.class, this::load);

        Path conf = home.resolve("conf");
        assertThat(failure.problems().stream().map(Problem::toString))
                .containsExactly(
                        conf + "/canal.properties:2: canal.serverMode = pigeon:"
                                + " must be one of tcp, kafka, rocketMQ, rabbitMQ, pulsarMQ, stdout",
                        conf + "/canal.properties:4: canal.prot:" + " there is no such key; did you mean canal.port?",
                        conf + "/canal.properties:5: canal.mq.flatMessage = yes: must be true or false",
                        conf + "/canal.properties:6: canal.instance.memory.buffer.size = 1000:"
                                + " must be a power of two from 1 to 16777216",
                        conf + "/canal.properties:7: canal.zkServers = zk 2181:"
                                + " must be host:port of ZooKeeper's servers, separated by commas",
                        conf + "/canal.properties:8: canal.instance.global.spring.xml ="
                                + " classpath:spring/group-instance.xml:"
                                + " several sources in one instance have no common position to continue from: make an"
                                + " instance of each; with a queue they may share one canal.mq.topic",
                        conf + "/canal.properties:9: mailto: there is no such key",
                        conf + "/shop/instance.properties: canal.mq.topic:"
                                + " is required: the topic that the changes go to",
                        conf + "/shop/instance.properties:1: canal.instance.master.address = db:"
                                + " must be host:port or [ipv6]:port",
                        conf + "/shop/instance.properties:2: canal.instance.dbPasword:"
                                + " there is no such key; did you mean canal.instance.dbPassword?",
                        conf + "/shop/instance.properties:3: canal.instance.filter.field = shop.users/id:"
                                + " an entry is schema.table:column/column, with one colon, at column 14:\n"
                                + "      shop.users/id\n"
                                + "                   ^",
                        conf + "/till/instance.properties: canal.instance.master.address:"
                                + " is required: the host:port of the MySQL server",
                        conf + "/till/instance.properties: canal.mq.topic:"
                                + " is required: the topic that the changes go to");
        assertThat(failure).hasMessageNotContaining("hunter2");
    }

    @Test
    void serversThatShareDestinationsAreIdentifiedByTheirRegisteredAddress() throws Exception {
        server(SERVER + """
                canal.zkServers = zk1:2181,zk2:2181; zk3:2181/chroot
                canal.register.ip = 10.0.0.7
                canal.ip = 10.0.0.8
                canal.port = 11115
                canal.zookeeper.session.timeout = 9000
                canal.zookeeper.flush.period = 250
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history
                """);
        instance("shop", INSTANCE);

        Configuration configuration = load();

        assertThat(configuration.server().cluster())
                .contains(new ClusterConfig(
                        "zk1:2181,zk2:2181,zk3:2181/chroot",
                        "10.0.0.7:11115",
                        Duration.ofSeconds(9),
                        Duration.ofSeconds(30),
                        ZooKeeperAccess.OPEN));
        CursorConfig cursor = configuration.instances().get(0).cursor();
        assertThat(cursor.kind()).isEqualTo(CursorKind.ZOOKEEPER);
        assertThat(cursor.flushPeriod()).isEqualTo(Duration.ofMillis(250));
        assertThat(configuration.warnings()).isEmpty();
    }

    @Test
    void theConnectionToZooKeeperCanBeProtected() throws Exception {
        server(SERVER + """
                canal.zkServers = zk1:2281
                canal.zookeeper.tls.enable = true
                canal.zookeeper.tls.trustStore = ../conf/zk-trust.p12
                canal.zookeeper.tls.trustStorePassword = open sesame
                canal.zookeeper.auth.user = sluice
                canal.zookeeper.auth.password = carry them all
                canal.zookeeper.acl = creator
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history
                """);
        instance("shop", INSTANCE);

        ZooKeeperAccess access = load().server().cluster().orElseThrow().access();

        assertThat(access.tls())
                .contains(new ZooKeeperAccess.Tls(
                        Optional.of(new KeyStoreFile("PKCS12", "../conf/zk-trust.p12", "open sesame")),
                        Optional.empty(),
                        true));
        assertThat(access.login()).contains(new ZooKeeperAccess.Login("sluice", new Secret("carry them all")));
        assertThat(access.acl()).isEqualTo(ZooKeeperAccess.Acl.CREATOR);
        assertThat(access.toString()).doesNotContain("sesame", "carry");
    }

    @Test
    void nodesOfTheirCreatorNeedALogin() throws Exception {
        server(SERVER + "canal.zkServers = zk1:2181\ncanal.zookeeper.acl = CREATOR\n");
        instance("shop", INSTANCE);
        assertThat(problems())
                .anyMatch(problem ->
                        problem.contains("canal.zookeeper.acl") && problem.contains("needs canal.zookeeper.auth.user"));
    }

    @Test
    void cursorsInZooKeeperNeedOne() throws Exception {
        server(SERVER + "canal.instance.global.spring.xml = classpath:spring/default-instance.xml\n");
        instance("shop", INSTANCE);
        assertThat(problems())
                .containsExactly(home.resolve("conf/canal.properties") + ": canal.zkServers: is required by the wiring"
                        + " default-instance.xml of shop, which keeps cursors there; canal takes 127.0.0.1:2181 if it is blank, where"
                        + " another ZooKeeper may be, or none: set it to that if it is meant");
    }

    /** canal keeps the cursors of such an instance there, so they would not be found. */
    @Test
    void anInstanceThatNamesAnotherZooKeeperIsAWarning() throws Exception {
        server(SERVER + """
                canal.zkServers = zk1:2181,zk2:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.enable = false
                """);
        instance("shop", INSTANCE + "canal.zkServers = zk9:2181\n");
        assertThat(load().warnings())
                .anyMatch(line -> line.startsWith(
                                home.resolve("conf/shop/instance.properties") + ":3: canal.zkServers names other")
                        && line.contains("begins at the newest position"));

        instance("shop", INSTANCE + "canal.zkServers = zk1:2181,zk2:2181/canal\n");
        assertThat(load().warnings()).anyMatch(line -> line.contains("names other"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zk1:2181, zk2:2181", "zk2:2181;zk1:2181,", "ZK2,zk1:2181", "zk1:2181,zk2:2181/"})
    void theSameZooKeeperInOtherWordsIsNoWarning(String servers) throws Exception {
        server(SERVER + """
                canal.zkServers = zk1:2181,zk2:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.enable = false
                """);
        instance("shop", INSTANCE + "canal.zkServers = " + servers + "\n");

        assertThat(load().warnings()).noneMatch(line -> line.contains("names other"));
    }

    @Test
    void theZooKeeperThatOnlyAnInstanceNamesIsInTheProblem() throws Exception {
        server(SERVER + "canal.instance.global.spring.xml = classpath:spring/default-instance.xml\n");
        instance("shop", INSTANCE + "canal.zkServers = zk9:2181\n");
        assertThat(problems())
                .containsExactly(home.resolve("conf/canal.properties") + ": canal.zkServers: is required by the wiring"
                        + " default-instance.xml of shop, which keeps cursors there; canal takes that of the instance: set it to the value at "
                        + home.resolve("conf/shop/instance.properties") + ":3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "canal.instance.tsdb.url = jdbc:h2:shop\n", "canal.instance.tsdb.url = jdbc:sqlite:shop\n"})
    void aSchemaHistoryOnOneMachineIsRejectedAmongSeveralServers(String history) throws Exception {
        server(SERVER + """
                canal.zkServers = zk:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                """);
        instance("shop", INSTANCE + history);
        assertThat(problems())
                .singleElement()
                .asString()
                .contains("canal.instance.tsdb.url", "must be jdbc:mysql://", "canal.zkServers", "shop", "CREATE");
    }

    @Test
    void withoutASchemaHistoryServersShareNoFile() throws Exception {
        server(SERVER + """
                canal.zkServers = zk:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.enable = false
                """);
        instance("shop", INSTANCE);
        assertThat(load().warnings()).isEmpty();
    }

    @Test
    void cursorsOnOneMachineAreAWarningAmongSeveralServers() throws Exception {
        server(SERVER + "canal.zkServers = zk:2181\n");
        instance("shop", INSTANCE);
        assertThat(load().warnings())
                .singleElement()
                .asString()
                .contains("these keep their cursor on one machine", "shop");
    }

    @Test
    void aWrongValueOfTheEnvironmentIsReportedAsOne() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE);
        variables.put("canal.mq.partition", "first");
        systemProperties.put("canal.instance.gtidom", "true");

        assertThat(problems())
                .containsExactlyInAnyOrder(
                        "environment variable: canal.mq.partition = first: must be a whole number, at least 0",
                        "system property: canal.instance.gtidom:"
                                + " there is no such key; did you mean canal.instance.gtidon?");
    }

    @Test
    void aPlaceholderThatRefersToItselfIsAProblem() throws Exception {
        server(SERVER + "a = ${b}\nb = ${a}\n");
        instance("shop", INSTANCE + "canal.instance.defaultDatabaseName = ${a}\n");

        assertThat(problems())
                .containsExactly(home.resolve("conf/shop/instance.properties") + ":3:"
                        + " canal.instance.defaultDatabaseName = ${a}: its placeholders lead back to ${a}");
    }

    @Test
    void anExpressionThatCannotBeReadIsAProblem() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance.filter.regex = shop\\\\..*,(till\n");

        assertThat(problems())
                .containsExactly(home.resolve("conf/shop/instance.properties")
                        + ":3: canal.instance.filter.regex = shop\\..*,(till:"
                        + " this '(' is never closed, at column 10:\n"
                        + "      shop\\..*,(till\n"
                        + "               ^");
    }

    @Test
    void anExpressionThatProbablyMeansSomethingElseIsAWarning() throws Exception {
        server(SERVER);
        instance(
                "shop",
                INSTANCE + "canal.instance.filter.regex = shop\\\\..*, till\\\\..*\n"
                        + "canal.instance.filter.black.regex = shop\\\\.a|shop\\\\.ab\n"
                        + "canal.instance.filter.query.dml = true\n");

        assertThat(load().warnings())
                .hasSize(2)
                .anyMatch(warning -> warning.startsWith(
                                home.resolve("conf/shop/instance.properties") + ":3: canal.instance.filter.regex: ")
                        && warning.contains("' till\\..*'"))
                .anyMatch(warning -> warning.contains("canal.instance.filter.black.regex: of the alternatives"));
    }

    @Test
    void columnsAndStatementsCanBeChosen() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + """
                canal.instance.filter.field = shop.people:id/name
                canal.instance.filter.black.field = shop.orders:note
                canal.instance.filter.query.dml = true
                canal.instance.filter.druid.ddl = false
                canal.instance.filter.query.other = false
                canal.instance.filter.query.unread = false
                """);

        Configuration configuration = load();

        assertThat(configuration.warnings()).isEmpty();
        InstanceConfig shop = configuration.instances().get(0);
        TableFilter filter = shop.filter().tables();
        assertThat(filter.passes("shop", "people", "secret")).isFalse();
        assertThat(filter.passes("shop", "orders", "note")).isFalse();
        assertThat(filter.passes("shop", "orders", "id")).isTrue();
        assertThat(shop.stream())
                .isEqualTo(StreamOptions.DEFAULT
                        .withParsedStatements(false)
                        .without(Set.of(Omitted.DML_STATEMENTS))
                        .with(spill()));
    }

    private TransactionSpill spill() {
        return new TransactionSpill(home.resolve("conf/shop/spill"), 1 << 19, 16L << 30);
    }

    @ParameterizedTest
    @CsvSource({
        "kafka, canal.instance.memory.buffer.size = 16384, 16384, 1024",
        "kafka, canal.instance.memory.buffer.memunit = 512, 16384, 512",
        "tcp, canal.ip = 127.0.0.1, 16384, 1024"
    })
    void theStoreIsCanalsIfItsSizeIsSetOrClientsPull(String mode, String line, int slots, int slotBytes)
            throws Exception {
        server("canal.serverMode = %s%ncanal.destinations = shop%nkafka.bootstrap.servers = 127.0.0.1:9092%n%s%n"
                .formatted(mode, line));
        instance("shop", INSTANCE);

        assertThat(load().instances().get(0).store().ring()).isEqualTo(new RingConfig(slots, slotBytes, false));
    }

    /** A transaction flows through the ring in pieces. */
    @ParameterizedTest
    @ValueSource(strings = {"buffer.size = 512", "buffer.size = 512\ncanal.instance.transaction.size = 65536"})
    void aTransactionMayBeLargerThanTheStore(String lines) throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance.memory." + lines + "\n");

        Configuration configuration = load();

        assertThat(configuration.instances().get(0).store().ring().slots()).isEqualTo(512);
        assertThat(configuration.warnings()).isEmpty();
    }

    @Test
    void twoInstancesOfOneServerNeedTwoReplicaIds() throws Exception {
        server(SERVER.replace("shop", "shop,till") + "canal.instance.mysql.slaveId = 7\n");
        instance("shop", INSTANCE);
        instance("till", INSTANCE);

        assertThat(problems())
                .containsExactly("built in: canal.instance.mysql.slaveId = 7: is that of shop and of till,"
                        + " which read the same server: MySQL would cut one of them off");
    }

    @Test
    void problemsOfTheConnectorAreReportedWithTheirLines() throws Exception {
        server(SERVER + "kafka.acks = some\n");
        instance("shop", INSTANCE);
        variables.put("kafka.ssl.key.password", "hunter2");
        producerCheck = (mode, properties, problems) -> {
            assertThat(mode).isEqualTo(ServerMode.KAFKA);
            properties.keySet().forEach(key -> problems.accept(key, "is wrong"));
            problems.accept("kafka.security.protocol", "is missing");
            return Optional.empty();
        };

        assertThat(problems())
                .containsExactly(
                        home.resolve("conf/canal.properties") + ": kafka.security.protocol: is missing",
                        home.resolve("conf/canal.properties")
                                + ":3: kafka.bootstrap.servers = 127.0.0.1:9092: is wrong",
                        home.resolve("conf/canal.properties") + ":4: kafka.acks = some: is wrong",
                        "environment variable: kafka.ssl.key.password = ******: is wrong");
    }

    @Test
    void aMissingServerFileIsReported() throws Exception {
        assertThat(problems()).contains(home.resolve("conf/canal.properties") + ": there is no such file");
    }

    @Test
    void forClientsThatPullNeitherATopicNorABrokerIsNeeded() throws Exception {
        server("""
                canal.serverMode = tcp
                canal.destinations = shop
                canal.user = canal
                canal.passwd = E4E382FDFEB623116CE99AEDCEA8D85E53888926
                canal.tcp.tls.keyStore = file:/etc/sluice/server.p12
                canal.tcp.tls.clientAuth = need
                """);
        instance("shop", "canal.instance.master.address = db:3306\n");

        Configuration configuration = load();

        assertThat(configuration.warnings()).isEmpty();
        TcpConfig tcp = configuration.server().tcp().orElseThrow();
        assertThat(tcp.address()).isEmpty();
        assertThat(tcp.port()).isEqualTo(11111);
        assertThat(tcp.user()).isEqualTo("canal");
        assertThat(tcp.storedPassword().value()).isEqualTo("e4e382fdfeb623116ce99aedcea8d85e53888926");
        assertThat(tcp.limits())
                .isEqualTo(new TcpConfig.Limits(
                        4096,
                        512,
                        1000,
                        1 << 20,
                        Duration.ofSeconds(30),
                        Duration.ofHours(1),
                        Duration.ofMinutes(5),
                        100));
        assertThat(tcp.tls().orElseThrow().clientAuth()).isEqualTo(PortTls.ClientAuth.NEED);
        assertThat(configuration.instances().get(0).store().rawEntry()).isTrue();
    }

    @Test
    void aPortThatOtherMachinesReachNeedsAPassword() throws Exception {
        String tcp = "canal.serverMode = tcp\ncanal.destinations = shop\n";
        String remedies =
                "set canal.user and canal.passwd, or canal.ip = 127.0.0.1; if this is intended, as with canal,"
                        + " add the line canal.tcp.allow.anonymous = true";
        instance("shop", "canal.instance.master.address = db:3306\n");

        server(tcp);
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith(home.resolve("conf/canal.properties")
                        + ": canal.ip: clients need no password on port 11111 of all addresses: ")
                .endsWith(remedies);
        server(tcp + "canal.ip = 192.0.2.1\n");
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith(home.resolve("conf/canal.properties")
                        + ":3: canal.ip = 192.0.2.1: clients need no password on port 11111 of 192.0.2.1: ")
                .endsWith(remedies);
        String tls = "canal.tcp.tls.keyStore = file:/etc/server.p12\ncanal.tcp.tls.clientAuth = NEED\n";
        server(tcp + tls);
        assertThat(problems()).hasSize(1); // any certificate that the JVM trusts would do

        server(tcp + tls + "canal.tcp.tls.trustStore = file:/etc/clients.p12\n");
        assertThat(load().warnings()).isEmpty();
        server(tcp + "canal.passwd = E4E382FDFEB623116CE99AEDCEA8D85E53888926\n");
        assertThat(load().warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "be1bdec0aa74b4dcb079943e70528096cca985f8, clients need the empty password alone (canal.passwd)",
        "E3619321C1A937C46A0D8BD1DAC39F93B27D4458, clients need the well-known password canal alone (canal.passwd)",
        "4ACFE3202A5FF5CF467898FC58AAB1D615029441, clients need the well-known password admin alone (canal.passwd)",
        "6BB4837EB74329105EE4568DDA7DC67ED2CA2AD9, clients need the well-known password 123456 alone (canal.passwd)"
    })
    void aPasswordThatAllKnowIsAsNone(String stored, String risk) throws Exception {
        String tcp = "canal.serverMode = tcp\ncanal.destinations = shop\ncanal.user = canal\ncanal.passwd = " + stored
                + "\n";
        instance("shop", "canal.instance.master.address = db:3306\n");

        server(tcp);
        assertThat(problems()).singleElement().asString().contains(risk + " on port 11111 of all addresses");
        server(tcp + "canal.ip = 127.0.0.1\n");
        assertThat(load().warnings()).isEmpty();
        server(tcp + "canal.tcp.allow.anonymous = true\n");
        assertThat(load().warnings()).singleElement().asString().contains(risk);
        server(tcp
                + "canal.tcp.tls.keyStore = file:/etc/server.p12\ncanal.tcp.tls.clientAuth = NEED\n"
                + "canal.tcp.tls.trustStore = file:/etc/clients.p12\n");
        assertThat(load().warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"})
    void aPortThatOnlyThisMachineReachesNeedsNoPassword(String address) throws Exception {
        server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.ip = " + address + "\n");
        instance("shop", "canal.instance.master.address = db:3306\n");

        assertThat(load().warnings()).isEmpty();
    }

    @Test
    void anOpenPortThatIsIntendedIsAWarningAtEachStart() throws Exception {
        server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.tcp.allow.anonymous = true\n");
        instance("shop", "canal.instance.master.address = db:3306\n");

        assertThat(load().warnings())
                .singleElement()
                .asString()
                .startsWith(
                        "canal.tcp.allow.anonymous = true: clients need no password on port 11111 of all addresses");
    }

    @Test
    void aLoopbackAddressDoesNotIdentifyAServerOfACluster() throws Exception {
        String cluster = """
                canal.zkServers = zk1:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history
                canal.ip = 127.0.0.1
                """;
        instance("shop", INSTANCE);

        server(SERVER + cluster);
        assertThat(load().server().cluster().orElseThrow().address()).isEqualTo("10.20.30.40:11111");
        server("canal.serverMode = tcp\ncanal.destinations = shop\n" + cluster);
        Configuration pulled = load();
        assertThat(pulled.server().cluster().orElseThrow().address()).isEqualTo("127.0.0.1:11111");
        assertThat(pulled.warnings()).singleElement().asString().contains("canal.register.ip");
    }

    @Test
    void anExpressionThatIsTooExpensiveForOrdinaryNamesIsAProblem() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance.filter.regex = " + ".*".repeat(45) + "x\n");

        assertThat(problems())
                .singleElement()
                .asString()
                .contains(":3: canal.instance.filter.regex = .*.*")
                .contains("takes too long to match against a name such as ", "fewer");
    }

    @Test
    void anExpressionThatIsTooExpensiveForLongNamesOnlyIsAWarning() throws Exception {
        server(SERVER);
        instance(
                "shop",
                INSTANCE + "canal.instance.filter.black.regex = .*_.*_.*_.*_.*_x\n"
                        + "canal.instance.filter.query.dml = true\n");

        assertThat(load().warnings())
                .singleElement()
                .asString()
                .contains(":3: canal.instance.filter.black.regex: the time to match it against a long name may grow");
    }

    @Test
    void aUserNeedsAValidPassword() throws Exception {
        server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.user = canal\n");
        instance("shop", "canal.instance.master.address = db:3306\n");
        assertThat(catchThrowableOfType(ConfigException.class, this::load).problems())
                .singleElement()
                .hasToString(home.resolve("conf/canal.properties")
                        + ":3: canal.user = canal: needs canal.passwd: a user without a password protects nothing");

        server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.passwd = hunter2\n");
        assertThat(catchThrowableOfType(ConfigException.class, this::load).problems())
                .singleElement()
                .hasToString(home.resolve("conf/canal.properties")
                        + ":3: canal.passwd = ******: must be the 40 hexadecimal digits of SHA1(SHA1(password)), as"
                        + " MySQL's password() gives them");
    }

    @Test
    void thePortStaysClosedForAQueueAndOnRequest() throws Exception {
        server(SERVER + "canal.user = canal\n");
        instance("shop", INSTANCE);
        assertThat(load().server().tcp()).isEmpty();

        server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.withoutNetty = true\n");
        assertThat(load().server().tcp()).isEmpty();

        server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.withoutNetty =\ncanal.ip = 127.0.0.1\n");
        assertThat(load().server().tcp()).as("set to nothing, as with canal").isEmpty();

        server(
                "canal.serverMode = tcp\ncanal.destinations = shop\ncanal.withoutNetty = ${env:NETTY:}\ncanal.ip = 127.0.0.1\n");
        assertThat(load().server().tcp()).as("by a placeholder, too").isEmpty();
    }

    @Test
    void metricsAreReadAtAPortOfTheirOwn() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE);
        assertThat(load().server().metrics()).contains(new MetricsConfig("", 11112, Optional.empty()));
        assertThat(load().server().stallLimit()).isEqualTo(Duration.ofMinutes(1));

        server(SERVER + """
                canal.metrics.pull.port = 9000
                canal.metrics.pull.ip = 10.0.0.7
                canal.metrics.tls.keyStore = file:/etc/sluice/server.p12
                canal.metrics.tls.keyStorePassword = secret
                canal.metrics.tls.clientAuth = NEED
                canal.health.stall.timeout = 5000
                """);
        MetricsConfig metrics = load().server().metrics().orElseThrow();
        assertThat(metrics.address()).isEqualTo("10.0.0.7");
        assertThat(metrics.port()).isEqualTo(9000);
        PortTls tls = metrics.tls().orElseThrow();
        assertThat(tls.key()).isEqualTo(new KeyStoreFile("PKCS12", "file:/etc/sluice/server.p12", "secret"));
        assertThat(tls.trust()).isEmpty();
        assertThat(tls.clientAuth()).isEqualTo(PortTls.ClientAuth.NEED);
        assertThat(tls.versions()).containsExactly("TLSv1.2", "TLSv1.3");
        assertThat(load().server().stallLimit()).isEqualTo(Duration.ofSeconds(5));

        for (int off : new int[] {0, -1}) {
            server(SERVER + "canal.metrics.pull.port = " + off + "\n");
            assertThat(load().server().metrics()).isEmpty();
        }
    }

    @Test
    void aManagementPortIsOpenedWithAPasswordOfTheOperatorsOwn() throws Exception {
        instance("shop", INSTANCE);
        server(SERVER);
        assertThat(load().server().admin()).isEmpty();
        assertThat(load().server().logDirectory()).isEqualTo(home.resolve("logs"));

        server(SERVER + """
                canal.ip = 10.0.0.7
                canal.admin.port = 11110
                canal.admin.user = root
                canal.admin.passwd = %s
                """.formatted(Scramble.stored("my own").toUpperCase(Locale.ROOT)));
        assertThat(load().server().admin())
                .contains(new AdminConfig(
                        "10.0.0.7", 11110, "root", new Secret(Scramble.stored("my own")), Optional.empty()));
        assertThat(load().warnings()).isEmpty();

        server(SERVER + """
                canal.admin.port = 12345
                canal.admin.passwd = %s
                canal.admin.ip = 10.0.0.8
                canal.admin.tls.keyStore = file:/etc/sluice/server.p12
                canal.admin.tls.clientAuth = NEED
                """.formatted(Scramble.stored("my own")));
        AdminConfig admin = load().server().admin().orElseThrow();
        assertThat(admin.address()).isEqualTo("10.0.0.8");
        assertThat(admin.port()).isEqualTo(12345);
        assertThat(admin.tls().orElseThrow().clientAuth()).isEqualTo(PortTls.ClientAuth.NEED);
    }

    @ParameterizedTest
    @CsvSource({
        "'', it has no password",
        "BE1BDEC0AA74B4DCB079943E70528096CCA985F8, it has no password",
        "4ACFE3202A5FF5CF467898FC58AAB1D615029441, that of the well-known password admin",
        "4acfe3202a5ff5cf467898fc58aab1d615029441, that of the well-known password admin",
        "E3619321C1A937C46A0D8BD1DAC39F93B27D4458, that of the well-known password canal",
        "6BB4837EB74329105EE4568DDA7DC67ED2CA2AD9, that of the well-known password 123456",
    })
    void aManagementPortWhosePasswordEverybodyKnowsStaysClosed(String stored, String reason) throws Exception {
        // As in the file that canal ships, on all addresses and with our loopback address for the client port.
        String shipped = "canal.admin.port = 11110\ncanal.admin.user = admin\ncanal.admin.passwd = " + stored + "\n";
        instance("shop", INSTANCE);
        for (String address : List.of("", "canal.ip = 127.0.0.1\n", "canal.admin.ip = 0.0.0.0\n")) {
            server(SERVER + shipped + address);

            assertThat(load().server().admin()).isEmpty();
            assertThat(load().warnings())
                    .singleElement()
                    .asString()
                    .startsWith("the management port (canal.admin.port) stays closed")
                    .contains(reason, "set canal.admin.passwd to the 40 hexadecimal digits");
        }
    }

    @Test
    void aWellKnownPasswordOpensAManagementPortForThisMachineOnly() throws Exception {
        instance("shop", INSTANCE);
        server(SERVER + """
                canal.admin.port = 11110
                canal.admin.passwd = 4ACFE3202A5FF5CF467898FC58AAB1D615029441
                canal.admin.ip = 127.0.0.1
                """);
        assertThat(load().server().admin().orElseThrow().address()).isEqualTo("127.0.0.1");
        assertThat(load().warnings()).isEmpty();

        server(SERVER + "canal.admin.port = 11110\ncanal.admin.ip = 127.0.0.1\n");
        assertThat(load().server().admin()).isEmpty();
    }

    @Test
    void aPasswordWithoutAManagementPortIsDoubted() throws Exception {
        server(SERVER + "canal.admin.passwd = " + Scramble.stored("my own") + "\n");
        instance("shop", INSTANCE);

        assertThat(load().server().admin()).isEmpty();
        assertThat(load().warnings())
                .containsExactly(
                        "canal.admin.passwd has no effect without canal.admin.port: the management port is closed");
    }

    @Test
    void whatIsNoPasswordOfAManagementPortIsRejectedAndNotShown() throws Exception {
        server(SERVER + "canal.admin.port = 11110\ncanal.admin.passwd = hunter2\n");
        instance("shop", INSTANCE);

        assertThat(problems())
                .singleElement()
                .asString()
                .contains("canal.admin.passwd", "must be the 40 hexadecimal digits of SHA1(SHA1(password))")
                .doesNotContain("hunter2");
    }

    @Test
    void keysWithoutEffectAreReportedInOneLine() throws Exception {
        server(SERVER + "canal.metrics.pull.port = 11112\n");
        instance("shop", INSTANCE + "canal.instance.rds.instanceId = 12\ncanal.mq.flatMessage = false\n");

        assertThat(load().warnings())
                .containsExactlyInAnyOrder(
                        home.resolve("conf/shop/instance.properties") + ":4: canal.mq.flatMessage has no effect in an"
                                + " instance's file, only in canal.properties",
                        "these keys are set, but have no effect in this version:" + " canal.instance.rds.instanceId");
    }

    @ParameterizedTest
    @ValueSource(strings = {"flat", "debezium"})
    void warnsOfAFlatMessageSettingThatContradictsTheFormat(String format) throws Exception {
        server(SERVER + "canal.mq.flatMessage = false\ncanal.mq.format = " + format + "\n");
        instance("shop", INSTANCE);

        assertThat(load().warnings())
                .containsExactly(
                        home.resolve("conf/canal.properties") + ":4: canal.mq.flatMessage = false has no effect:"
                                + " messages are of the format " + format + ", as canal.mq.format says");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "canal.mq.flatMessage = true\ncanal.mq.format = debezium",
                "canal.mq.flatMessage = true\ncanal.mq.format = protobuf",
                "canal.mq.flatMessage = false\ncanal.mq.format = protobuf",
                "canal.mq.flatMessage = false\ncanal.mq.format =",
                "canal.mq.flatMessage =\ncanal.mq.format = flat",
                "canal.mq.format = flat"
            })
    void warnsOfNoFormatThatAgreesWithTheOtherSetting(String lines) throws Exception {
        server(SERVER + lines + "\n");
        instance("shop", INSTANCE);

        assertThat(load().warnings()).isEmpty();
    }

    @Test
    void secretsAreNotShown() throws Exception {
        server(SERVER + """
                kafka.sasl.jaas.config = module required password=hunter2;
                canal.zkServers = zk:2181
                canal.zookeeper.auth.user = sluice
                canal.zookeeper.auth.password = hunter2
                canal.zookeeper.tls.enable = true
                canal.zookeeper.tls.trustStore = trust.p12
                canal.zookeeper.tls.trustStorePassword = hunter2
                canal.zookeeper.tls.keyStore = key.p12
                canal.zookeeper.tls.keyStorePassword = hunter2
                canal.metrics.tls.keyStore = file:/etc/key.p12
                canal.metrics.tls.keyStorePassword = hunter2
                canal.metrics.tls.trustStore = file:/etc/trust.p12
                canal.metrics.tls.trustStorePassword = hunter2
                """);
        instance("shop", INSTANCE + """
                canal.instance.dbPassword = hunter2
                canal.instance.master.trustCertificateKeyStoreUrl = file:/etc/trust.p12
                canal.instance.master.trustCertificateKeyStorePassword = hunter2
                canal.instance.master.clientCertificateKeyStoreUrl = file:/etc/client.p12
                canal.instance.master.clientCertificateKeyStorePassword = hunter2
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history?user=x&password=hunter2
                canal.instance.tsdb.dbPassword = hunter2
                """);

        Configuration configuration = load();

        assertThat(configuration.toString()).doesNotContain("hunter2");
        assertThat(configuration.server().cluster().toString())
                .doesNotContain("hunter2")
                .contains(Secret.MASK);
        assertThat(configuration.server().metrics().toString())
                .doesNotContain("hunter2")
                .contains("trust.p12");
        InstanceConfig shop = configuration.instances().get(0);
        assertThat(shop.login().password()).isEqualTo("hunter2");
        assertThat(shop.schema().history().password()).isEqualTo("hunter2");
        assertThat(shop.toString()).doesNotContain("hunter2").contains("db:3306");
    }

    @Test
    void textThatIsNoUtf8IsReadAsLatin1() throws Exception {
        server(SERVER);
        instance("shop", INSTANCE + "canal.instance.dbPassword = schl\u00fcssel\n", StandardCharsets.ISO_8859_1);
        assertThat(load().instances().get(0).login().password()).isEqualTo("schl\u00fcssel");

        instance("shop", INSTANCE + "canal.instance.dbPassword = schl\u00fcssel\n", StandardCharsets.UTF_8);
        assertThat(load().instances().get(0).login().password()).isEqualTo("schl\u00fcssel");
    }

    private List<String> problems() {
        return catchThrowableOfType(ConfigException.class, this::load).problems().stream()
                .map(Problem::toString)
                .toList();
    }

    private Configuration load() throws ConfigException {
        return load(home.resolve("bin"));
    }

    private Configuration load(Path bin) throws ConfigException {
        return ConfigLoader.load(
                home.resolve("conf/canal.properties"),
                bin,
                new Environment(systemProperties, variables, address(), 4),
                producerCheck);
    }

    private static Inet4Address address() {
        try {
            return (Inet4Address) InetAddress.getByAddress(new byte[] {10, 20, 30, 40});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private void server(String text) throws IOException {
        Files.writeString(home.resolve("conf/canal.properties"), text);
    }

    private void instance(String destination, String text) throws IOException {
        instance(destination, text, StandardCharsets.UTF_8);
    }

    private void instance(String destination, String text, Charset charset) throws IOException {
        Path directory = Files.createDirectories(home.resolve("conf").resolve(destination));
        Files.writeString(directory.resolve("instance.properties"), text, charset);
    }
}
