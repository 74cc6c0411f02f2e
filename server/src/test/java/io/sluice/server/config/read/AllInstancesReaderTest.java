package io.sluice.server.config.read;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.format.value.PartialJson;
import io.sluice.format.value.ValueOptions;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.schema.filter.TableFilter;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.FailureConfig;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.instance.OnReject;
import io.sluice.server.config.instance.OnTopicUnavailable;
import io.sluice.server.config.text.Warning;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of an instance, and what is wrong with one of several. */
class AllInstancesReaderTest {
    @TempDir
    Path folder;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(folder);
    }

    @Test
    void thePolicyForRejectedMessagesIsSetForEachInstance() throws Exception {
        home.server(SERVER + "canal.mq.onReject = skip\ncanal.mq.retry.pause.longest = 2000\n"
                + "canal.mq.onTopicUnavailable = stop\n");
        home.instance("shop", SHOP + "canal.mq.onReject = deadletter\ncanal.mq.deadLetter.topic = attic\n");

        assertThat(home.load().instances().get(0).failure())
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
        home.server(SERVER);
        home.instance("shop", SHOP + key + " = deadLetter\ncanal.mq.deadLetter.topic = " + topic + "\n");

        assertThatThrownBy(home::load)
                .hasMessageContaining("canal.mq.deadLetter.topic = " + topic
                        + ": dead letters cannot go to a topic named " + topic + ": " + why);
    }

    @Test
    void wrongPoliciesForFailuresAreProblems() throws IOException {
        home.server(SERVER);
        home.instance(
                "shop",
                SHOP + "canal.mq.onReject = ignore\ncanal.mq.onTopicUnavailable = wait\n"
                        + "canal.mq.retry.pause.longest = 10\n");

        assertThatThrownBy(home::load)
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
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance.timezone = " + text + "\n");

        assertThat(home.load().instances().get(0).values().zone()).isEqualTo(ZoneId.of(zone));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Asia/Shangai", "CST", "+25:00", "SYSTEM"})
    void anUnknownTimeZoneIsAProblem(String text) throws IOException {
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance.timezone = " + text + "\n");

        assertThatThrownBy(home::load)
                .hasMessageContaining(
                        "canal.instance.timezone = " + text + ": must be a time zone, like Asia/Shanghai");
    }

    /** Of them Java takes the offset of this moment. */
    @ParameterizedTest
    @ValueSource(
            strings = {"Asia/Shangai", ":/etc/localtime", "localtime", ":localtime", "EST5EDT,M3.2.0,M11.1.0", "Brazil"
            })
    void aZoneOfTheMachineThatIsNoNameIsAWarning(String text) throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP);
        home.variables.put("TZ", text);
        home.systemProperties.put("user.timezone", "GMT-03:00");

        assertThat(home.load().warnings())
                .singleElement()
                .asString()
                .contains("TZ is '" + text + "'", "as of GMT-03:00 all year", "canal.instance.timezone");

        home.instance("shop", SHOP + "canal.instance.timezone = Asia/Shanghai\n");
        assertThat(home.load().warnings()).isEmpty();
        home.instance("shop", SHOP);
        home.jvmOptions.add("-Duser.timezone=GMT-3");
        assertThat(home.load().warnings()).isEmpty();
    }

    /** POSIX counts them to the west, and Java GMT+8, as most people, to the east. */
    @ParameterizedTest
    @ValueSource(strings = {"UTC+8", "UTC-8", "UTC8", "utc+08:00", "GMT+8", "GMT-8", "GMT-08:00", ":UTC+8"})
    void anOffsetFromGreenwichWhoseSignIsReadInTwoWaysIsAWarning(String text) throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP);
        home.variables.put("TZ", text);
        home.systemProperties.put("user.timezone", "GMT-08:00");

        assertThat(home.load().warnings())
                .singleElement()
                .asString()
                .contains("TZ is '" + text + "'", "east", "west", "as of GMT-08:00;", "canal.instance.timezone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Asia/Shangai", "UTC+8", "+08:00"})
    void aZoneByAnOptionThatJavaDoesNotKnowIsAWarning(String text) throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP);
        home.variables.put("TZ", "Asia/Shanghai");
        home.systemProperties.put("user.timezone", "GMT"); // as Java sets it
        home.jvmOptions.addAll(List.of("-Duser.timezone=UTC", "-Duser.timezone=" + text, "-Xmx1g"));

        assertThat(home.load().warnings())
                .singleElement()
                .asString()
                .contains("-Duser.timezone=" + text, "JAVA_OPTS", "as of GMT;", "canal.instance.timezone")
                .doesNotContain("TZ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Asia/Shanghai", "GMT+08", "GMT+8", "GMT", "UTC"})
    void aZoneByAnOptionCountsWhateverTheVariableIs(String text) throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP);
        home.variables.put("TZ", ":/etc/localtime");
        home.systemProperties.put("user.timezone", text);
        home.jvmOptions.add("-Duser.timezone=" + text);

        assertThat(home.load().warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Asia/Shanghai",
                ":Asia/Shanghai",
                "posix/UTC",
                "GMT",
                "UTC0",
                "GMT-0",
                "CST-8",
                "<+08>-8",
                "EST5EDT"
            })
    void aZoneOfTheMachineThatJavaKnowsIsNone(String text) throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP);
        home.variables.put("TZ", text);
        home.systemProperties.put("user.timezone", "GMT+08:00");

        assertThat(home.load().warnings()).isEmpty();
    }

    @Test
    void anInstanceTakesTheServersValueUnlessItsOwnFileHasTheKeyEvenBlank() throws Exception {
        home.server(SERVER.replace("shop", "shop,stock,till") + "canal.instance.dbUsername = all\n");
        home.instance("shop", SHOP);
        home.instance("stock", SHOP.replace("db:", "db2:") + "canal.instance.dbUsername = own\n");
        home.instance("till", SHOP.replace("db:", "db3:") + "canal.instance.dbUsername =\n");

        List<String> names = home.load().instances().stream()
                .map(instance -> instance.login().user())
                .toList();

        assertThat(names).containsExactly("all", "own", "retl");
    }

    @Test
    void placeholdersOfAnInstanceAreResolvedRecursively() throws Exception {
        home.server(
                SERVER + "canal.conf.dir = ../conf\ncanal.file.data.dir = ${canal.conf.dir}/../data\nteam = blue\n");
        home.instance("shop", """
                canal.instance.master.address = ${db.host:${team:red}-db}:3306
                canal.mq.topic = ${team}.${canal.instance.destination}${nowhere}
                """);

        InstanceConfig shop = home.load().instances().get(0);

        assertThat(shop.login().address()).hasToString("blue-db:3306");
        assertThat(shop.routing().topic()).isEqualTo("blue.shop");
        assertThat(shop.cursor().directory()).isEqualTo(folder.resolve("data/shop"));
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
        home.server(SERVER);
        home.instance("shop", SHOP + setting);
        assertThat(home.load().warnings())
                .singleElement()
                .asString()
                .contains(key, "texts of DML", "set canal.instance.filter.query.dml = true");

        home.instance("shop", SHOP + setting + "canal.instance.filter.query.dml = true\n");
        assertThat(home.load().warnings()).isEmpty();

        home.instance("shop", SHOP + setting);
        home.server(SERVER + "canal.mq.format = debezium\n");
        assertThat(home.load().warnings()).isEmpty();
    }

    @Test
    void textsOfDmlAreNoWarningWhereOnlyTablesAreLeftOut() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + """
                canal.instance.filter.regex = shop\\\\..*
                canal.instance.filter.black.regex = mysql\\\\.slave_.*
                """);

        assertThat(home.load().warnings()).isEmpty();
    }

    @Test
    void threadsThatDecodeForClientsHaveNoEffectWithAQueueAndThatIsSaid() throws Exception {
        home.instance("shop", SHOP + "canal.instance.parser.parallelThreadSize = 4\n");
        home.server(SERVER + "canal.instance.parser.parallel = true\n");
        assertThat(home.load().warnings())
                .singleElement()
                .asString()
                .contains("canal.instance.parser.parallelThreadSize", "has no effect", "canal.mq.build.thread.size");

        home.server(SERVER.replace("kafka\n", "tcp\n") + "canal.ip = 127.0.0.1\n");
        assertThat(Warning.texts(home.load().warnings())).noneMatch(warning -> warning.contains("parallelThreadSize"));
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
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance." + setting + "\n");

        assertThat(home.load().instances().get(0).stream().omitted())
                .containsExactlyInAnyOrder(
                        Omitted.OTHER_STATEMENTS, Omitted.UNREAD_STATEMENTS_OF_EXCLUDED_TABLES, kind);
    }

    @Test
    void theSwitchForDdlNeedNotApplyToDml() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + """
                        canal.instance.filter.query.ddl = true
                        canal.instance.filter.query.ddl.only = true
                        """);

        assertThat(home.load().instances().get(0).stream().omitted())
                .containsExactlyInAnyOrder(
                        Omitted.OTHER_STATEMENTS, Omitted.UNREAD_STATEMENTS_OF_EXCLUDED_TABLES, Omitted.DDL_STATEMENTS);
    }

    @Test
    void optionsOfTheStreamAreSetByTheirKeys() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + """
                        canal.mq.flat.old.accumulate = false
                        canal.instance.mariadb.transaction.begin = true
                        canal.instance.value.json.partial = function
                        canal.instance.value.image.complete = true
                        canal.instance.xa = committed
                        canal.instance.xa.memory = 4711
                        canal.instance.transaction.spill.max = 0
                        """);

        assertThat(home.load().instances().get(0).stream())
                .isEqualTo(StreamOptions.DEFAULT
                        .withAccumulatedOld(false)
                        .withMariaDbBegins(true)
                        .with(PartialJson.FUNCTION)
                        .with(new PartialImagePolicy(true, PartialImagePolicy.Reported.NONE, false, ""))
                        .with(new XaHolding(folder.resolve("conf/shop/xa"), 4711)));
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
        home.server(SERVER + "canal.mq.format = debezium\n");
        home.instance("shop", SHOP + "canal.instance.value.json.exact = false\n");
        assertThat(home.load().instances().get(0).values().exactJson()).isTrue();
        assertThat(home.load().instances().get(0).values().exactDecimals()).isTrue();

        home.server(SERVER + "canal.mq.format = flat\n");
        assertThat(home.load().instances().get(0).values().exactJson()).isFalse();
        assertThat(home.load().instances().get(0).values().exactDecimals()).isFalse();
    }

    /** Else texts would be decoded as UTF-8, and lose their other characters. */
    @ParameterizedTest
    @CsvSource({"GB2312, gb2312", "EUC-KR, euckr", "Shift_JIS, sjis", "windows-1251, cp1251", "UTF-16, utf16"})
    void textsMayBeInAnyCharacterSetOfMySql(String charset, String mysqlName) throws Exception {
        assertThat(valuesOf("connectionCharset = " + charset).fallbackCharset()).isEqualTo(mysqlName);
    }

    private ValueOptions valuesOf(String setting) throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance." + setting + "\n");
        return home.load().instances().get(0).values();
    }

    @Test
    void aStoreWithAUrlIsUsedThoughItsTypeIsBlank() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + """
                        canal.instance.master.sslMode = verify_ca
                        canal.instance.master.trustCertificateKeyStoreUrl = file:/etc/trust.p12
                        canal.instance.master.trustCertificateKeyStorePassword = changeit
                        """);

        TlsOptions tls = home.load().instances().get(0).login().tls();

        assertThat(tls)
                .isEqualTo(new TlsOptions(
                        TlsMode.VERIFY_CA,
                        TlsOptions.DEFAULT_PROTOCOLS,
                        new KeyStoreFile("JKS", "file:/etc/trust.p12", "changeit"),
                        null));
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
        home.server(SERVER + "canal.mq.format = none\n");
        home.instance("shop", SHOP + "canal.instance.tsdb.url = jdbc:mysql://db:3306/h?" + parameters + "\n");

        assertThat(home.problems())
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
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance.tsdb.url = jdbc:mysql://db:3306/h?" + parameters + "\n");

        assertThat(home.load().instances()).hasSize(1);
    }

    @Test
    void anUrlOfTheSchemaHistoryThatDoesNotSayWhetherTheServerIsVerifiedIsWarnedOf() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance.tsdb.url = jdbc:mysql://db:3306/h?useSSL=true\n");

        assertThat(Warning.texts(home.load().warnings()))
                .anySatisfy(warning -> assertThat(warning)
                        .contains(":3: canal.instance.tsdb.url has useSSL=true and does not say", "shop"));
    }

    @Test
    void anExpressionThatCannotBeReadIsAProblem() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance.filter.regex = shop\\\\..*,(till\n");

        assertThat(home.problems())
                .containsExactly(folder.resolve("conf/shop/instance.properties")
                        + ":3: canal.instance.filter.regex = shop\\..*,(till:"
                        + " this '(' is never closed, at column 10:\n"
                        + "      shop\\..*,(till\n"
                        + "               ^");
    }

    @Test
    void anExpressionThatProbablyMeansSomethingElseIsAWarning() throws Exception {
        home.server(SERVER);
        home.instance(
                "shop",
                SHOP + "canal.instance.filter.regex = shop\\\\..*, till\\\\..*\n"
                        + "canal.instance.filter.black.regex = shop\\\\.a|shop\\\\.ab\n"
                        + "canal.instance.filter.query.dml = true\n");

        assertThat(Warning.texts(home.load().warnings()))
                .hasSize(2)
                .anyMatch(warning -> warning.startsWith(
                                folder.resolve("conf/shop/instance.properties") + ":3: canal.instance.filter.regex: ")
                        && warning.contains("' till\\..*'"))
                .anyMatch(warning -> warning.contains("canal.instance.filter.black.regex: of the alternatives"));
    }

    @Test
    void columnsAndStatementsCanBeChosen() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + """
                canal.instance.filter.field = shop.people:id/name
                canal.instance.filter.black.field = shop.orders:note
                canal.instance.filter.query.dml = true
                canal.instance.filter.druid.ddl = false
                canal.instance.filter.query.other = false
                canal.instance.filter.query.unread = false
                """);

        Configuration configuration = home.load();

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
        return new TransactionSpill(folder.resolve("conf/shop/spill"), 1 << 19, 16L << 30);
    }

    @ParameterizedTest
    @CsvSource({
        "kafka, canal.instance.memory.buffer.size = 16384, 16384, 1024",
        "kafka, canal.instance.memory.buffer.memunit = 512, 16384, 512",
        "tcp, canal.ip = 127.0.0.1, 16384, 1024"
    })
    void theStoreIsCanalsIfItsSizeIsSetOrClientsPull(String mode, String line, int slots, int slotBytes)
            throws Exception {
        home.server("canal.serverMode = %s%ncanal.destinations = shop%nkafka.bootstrap.servers = 127.0.0.1:9092%n%s%n"
                .formatted(mode, line));
        home.instance("shop", SHOP);

        assertThat(home.load().instances().get(0).store().ring()).isEqualTo(new RingConfig(slots, slotBytes, false));
    }

    /** A transaction flows through the ring in pieces. */
    @ParameterizedTest
    @ValueSource(strings = {"buffer.size = 512", "buffer.size = 512\ncanal.instance.transaction.size = 65536"})
    void aTransactionMayBeLargerThanTheStore(String lines) throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance.memory." + lines + "\n");

        Configuration configuration = home.load();

        assertThat(configuration.instances().get(0).store().ring().slots()).isEqualTo(512);
        assertThat(configuration.warnings()).isEmpty();
    }

    @Test
    void twoInstancesOfOneServerNeedTwoReplicaIds() throws Exception {
        home.server(SERVER.replace("shop", "shop,till") + "canal.instance.mysql.slaveId = 7\n");
        home.instance("shop", SHOP);
        home.instance("till", SHOP);

        assertThat(home.problems())
                .containsExactly("built in: canal.instance.mysql.slaveId = 7: is that of shop and of till,"
                        + " which read the same server: MySQL would cut one of them off");
    }

    @Test
    void anExpressionThatIsTooExpensiveForOrdinaryNamesIsAProblem() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance.filter.regex = " + ".*".repeat(45) + "x\n");

        assertThat(home.problems())
                .singleElement()
                .asString()
                .contains(":3: canal.instance.filter.regex = .*.*")
                .contains("takes too long to match against a name such as ", "fewer");
    }

    @Test
    void anExpressionThatIsTooExpensiveForLongNamesOnlyIsAWarning() throws Exception {
        home.server(SERVER);
        home.instance(
                "shop",
                SHOP + "canal.instance.filter.black.regex = .*_.*_.*_.*_.*_x\n"
                        + "canal.instance.filter.query.dml = true\n");

        assertThat(home.load().warnings())
                .singleElement()
                .asString()
                .contains(":3: canal.instance.filter.black.regex: the time to match it against a long name may grow");
    }
}
