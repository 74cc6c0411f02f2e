package io.sluice.server.config.load;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.format.flat.FlatFormat;
import io.sluice.format.value.ValueOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.CursorConfig;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.instance.FailureConfig;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.instance.OnReject;
import io.sluice.server.config.instance.OnTopicUnavailable;
import io.sluice.server.config.instance.StoreConfig;
import io.sluice.server.config.read.ConfigHome;
import io.sluice.server.config.server.MqConfig;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Secret;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.BatchMode;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.source.search.LostCursor;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All texts of a server together: which value counts, and how problems are reported. */
class ConfigLoaderTest {
    @TempDir
    Path folder;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(folder);
    }

    @Test
    void aMinimalConfigurationGetsTheDefaults() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP);

        Configuration configuration = home.load();

        assertThat(configuration.warnings()).isEmpty();
        ServerConfig server = configuration.server();
        assertThat(server.mode()).isEqualTo(ServerMode.KAFKA);
        assertThat(server.confDirectory()).isEqualTo(folder.resolve("conf"));
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
        assertThat(shop.start()).isEqualTo(new ConfiguredStart.Default());
        assertThat(shop.filter()).isEqualTo(FilterRules.ALL.withIncluded(".*\\..*"));
        assertThat(shop.stream()).isEqualTo(StreamOptions.DEFAULT.with(spill()));
        assertThat(shop.values()).isEqualTo(ValueOptions.in(ZoneId.systemDefault()));
        assertThat(shop.encoderThreads()).isEqualTo(2);
        assertThat(shop.schema().history())
                .isEqualTo(new HistoryConfig(
                        "shop",
                        HistoryLocation.besideH2(folder.resolve("conf/shop/h2"), ""),
                        "canal",
                        "canal",
                        Duration.ofHours(24),
                        Duration.ofHours(360)));
        assertThat(shop.schema().reloaded()).isNull();
        assertThat(shop.store()).isEqualTo(new StoreConfig(RingConfig.growing(false), BatchMode.MEMSIZE, false));
        assertThat(shop.cursor())
                .isEqualTo(new CursorConfig(CursorKind.FILE, folder.resolve("conf/shop"), Duration.ofSeconds(1)));
        assertThat(shop.routing().rules().texts()).isEqualTo(RuleTexts.fixed("shop", 0));
        assertThat(shop.routing().keyChange()).isEqualTo(KeyChange.KEEP);
        assertThat(shop.routing().ddlPartition()).isEqualTo(DdlPartition.FIRST);
        assertThat(shop.sender())
                .isEqualTo(new SenderConfig(
                        "shop",
                        BatchLimit.bytes(50 * 1024),
                        Duration.ofMillis(100),
                        OptionalInt.empty(),
                        Duration.ofMinutes(5)));
        assertThat(shop.failure())
                .isEqualTo(new FailureConfig(
                        OnReject.STOP,
                        OnTopicUnavailable.RETRY,
                        "shop_dead",
                        Duration.ofMillis(100),
                        Duration.ofSeconds(30)));
    }

    @Test
    void theEnvironmentWinsOverFilesAndTheJvmOverTheEnvironment() throws Exception {
        home.server(SERVER + "canal.mq.canalBatchSize = 1\ncanal.mq.canalGetTimeout = 1\n");
        home.instance("shop", SHOP + "canal.instance.dbUsername = file\ncanal.instance.dbPassword = file\n");
        home.variables.put("canal.mq.canalBatchSize", "2");
        home.variables.put("canal.mq.canalGetTimeout", "2");
        home.variables.put("canal.instance.dbUsername", "env");
        home.variables.put("canal.instance.dbPassword", "env");
        home.systemProperties.put("canal.mq.canalGetTimeout", "3");
        home.systemProperties.put("canal.instance.dbPassword", "jvm");

        Configuration configuration = home.load();

        InstanceConfig shop = configuration.instances().get(0);
        assertThat(shop.sender().batchLimit()).isEqualTo(BatchLimit.bytes(2 * 1024));
        assertThat(shop.sender().getTimeout()).isEqualTo(Duration.ofMillis(3));
        assertThat(shop.login().user()).isEqualTo("env");
        assertThat(shop.login().password()).isEqualTo("jvm");
    }

    /** A number that no operator has set follows the time of the broker's answers. */
    @Test
    void aNumberOfBatchesInFlightThatIsSetHoldsAsItIs() throws Exception {
        home.server(SERVER + "canal.mq.inflight.batches = 128\n");
        home.instance("shop", SHOP);

        Configuration configuration = home.load();

        assertThat(configuration.instances().get(0).sender().maxInFlight()).hasValue(128);
    }

    @Test
    void aBlankVariableHidesTheFileForTheServerButNotForAnInstance() throws Exception {
        home.server(SERVER + "canal.mq.canalBatchSize = 1\n");
        home.instance("shop", SHOP + "canal.instance.dbUsername = file\n");
        home.variables.put("canal.mq.canalBatchSize", "");
        home.variables.put("canal.instance.dbUsername", "");

        Configuration configuration = home.load();

        InstanceConfig shop = configuration.instances().get(0);
        assertThat(shop.sender().batchLimit()).isEqualTo(BatchLimit.bytes(50 * 1024));
        assertThat(shop.login().user()).isEqualTo("file");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstLine() throws Exception {
        home.server("\uFEFF#### written by an editor of Windows\n" + SERVER);
        home.instance("shop", "\uFEFFcanal.mq.topic = marked\n" + SHOP.replaceAll("canal.mq.topic.*\n", ""));

        Configuration configuration = home.load();

        assertThat(configuration.warnings()).isEmpty();
        assertThat(configuration.instances().get(0).routing().topic()).isEqualTo("marked");
    }

    @Test
    void allProblemsAreReportedAtOnce() throws Exception {
        home.server("""
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
        home.instance("shop", """
                canal.instance.master.address = db
                canal.instance.dbPasword = hunter2
                canal.instance.filter.field = \\
                    shop.users/id
                """);

        ConfigException failure = catchThrowableOfType(ConfigException.class, home::load);

        Path conf = folder.resolve("conf");
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
                        conf + "/till/instance.properties: there is no such file, and canal.properties does not set all"
                                + " that the instance till needs: create it",
                        conf + "/till/instance.properties: canal.instance.master.address:"
                                + " is required: the host:port of the MySQL server",
                        conf + "/till/instance.properties: canal.mq.topic:"
                                + " is required: the topic that the changes go to");
        assertThat(failure).hasMessageNotContaining("hunter2");
    }

    @Test
    void aWrongValueOfTheEnvironmentIsReportedAsOne() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP);
        home.variables.put("canal.mq.partition", "first");
        home.systemProperties.put("canal.instance.gtidom", "true");

        assertThat(home.problems())
                .containsExactlyInAnyOrder(
                        "environment variable: canal.mq.partition = first: must be a whole number, at least 0",
                        "system property: canal.instance.gtidom:"
                                + " there is no such key; did you mean canal.instance.gtidon?");
    }

    @Test
    void aPlaceholderThatRefersToItselfIsAProblem() throws Exception {
        home.server(SERVER + "a = ${b}\nb = ${a}\n");
        home.instance("shop", SHOP + "canal.instance.defaultDatabaseName = ${a}\n");

        assertThat(home.problems())
                .containsExactly(folder.resolve("conf/shop/instance.properties") + ":3:"
                        + " canal.instance.defaultDatabaseName = ${a}: its placeholders lead back to ${a}");
    }

    private TransactionSpill spill() {
        return new TransactionSpill(folder.resolve("conf/shop/spill"), 1 << 19, 16L << 30);
    }

    @Test
    void aMissingServerFileIsReported() throws Exception {
        assertThat(home.problems()).contains(folder.resolve("conf/canal.properties") + ": there is no such file");
    }

    @Test
    void secretsAreNotShown() throws Exception {
        home.server(SERVER + """
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
        home.instance("shop", SHOP + """
                canal.instance.dbPassword = hunter2
                canal.instance.master.trustCertificateKeyStoreUrl = file:/etc/trust.p12
                canal.instance.master.trustCertificateKeyStorePassword = hunter2
                canal.instance.master.clientCertificateKeyStoreUrl = file:/etc/client.p12
                canal.instance.master.clientCertificateKeyStorePassword = hunter2
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history?user=x&password=hunter2
                canal.instance.tsdb.dbPassword = hunter2
                """);

        Configuration configuration = home.load();

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
    void textThatIsNoUtf8IsReadAsLatin1WithAWarning() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance.dbPassword = schl\u00fcssel\n", StandardCharsets.ISO_8859_1);
        Configuration latin = home.load();
        assertThat(latin.instances().get(0).login().password()).isEqualTo("schl\u00fcssel");
        assertThat(latin.warnings())
                .singleElement()
                .asString()
                .contains("instance.properties:", "canal.instance.dbPassword", "not UTF-8", "ISO-8859-1")
                .doesNotContain("schl");

        home.instance("shop", SHOP + "canal.instance.dbPassword = schl\u00fcssel\n", StandardCharsets.UTF_8);
        assertThat(home.load().instances().get(0).login().password()).isEqualTo("schl\u00fcssel");
        assertThat(home.load().warnings()).isEmpty();
    }

    @Test
    void aCommentInAnotherCharacterSetIsNoReasonToWarn() throws Exception {
        home.server(SERVER);
        home.instance("shop", "# \u8ba2\u5355\n" + SHOP, Charset.forName("GBK"));

        assertThat(home.load().warnings()).isEmpty();
    }
}
