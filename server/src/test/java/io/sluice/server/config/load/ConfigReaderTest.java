package io.sluice.server.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.instance.RestartPolicy;
import io.sluice.server.config.read.ConfigHome;
import io.sluice.server.config.read.EffectiveConfiguration;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.remote.AdminException;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Warning;
import io.sluice.testkit.canal.PolledAdmin;
import io.sluice.testkit.time.HandTime;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configuration that an admin server has. */
@Timeout(60)
class ConfigReaderTest {
    private static final String SERVER = """
            canal.serverMode = kafka
            canal.auto.scan = true
            canal.mq.flatMessage = true
            kafka.bootstrap.servers = 127.0.0.1:9092
            """;

    private static final String SHOP = """
            canal.instance.master.address = db:3306
            canal.instance.dbPassword = a secret password
            canal.mq.topic = shop
            """;

    @TempDir
    Path folder;

    private final PolledAdmin admin = PolledAdmin.start();
    private final HandTime time = new HandTime();
    private ConfigHome home;

    @BeforeEach
    void fill() {
        home = new ConfigHome(folder);
        local("");
        admin.server(SERVER);
        admin.instance("shop", SHOP);
    }

    @AfterEach
    void close() {
        admin.close();
    }

    private void local(String more) {
        home.server("""
                canal.admin.manager = %s
                canal.admin.user = admin
                canal.admin.passwd = %s
                canal.register.ip = 10.0.0.7
                %s
                """.formatted(admin.address(), PolledAdmin.PASSWORD, more));
    }

    private ConfigReader reader() {
        Environment machine = Environment.ofThisProcess();
        return new ConfigReader(
                home.serverFile(),
                folder.resolve("bin"),
                new Environment(home.systemProperties, home.variables, machine.address(), 4),
                ProducerCheck.NONE,
                time);
    }

    private static List<String> names(Configuration configuration) {
        return configuration.instances().stream()
                .map(InstanceConfig::destination)
                .toList();
    }

    /** Otherwise whoever edits an instance at the admin server could have the server send any file that its user can read. */
    @ParameterizedTest
    @CsvSource({
        "conf/control-token",
        "secrets/../conf/control-token",
        "secrets/kubernetes.io/token",
        "secrets/eks.amazonaws.com/serviceaccount/token"
    })
    void aTextOfAnAdminServerGetsNoFilesOfOtherDirectories(String path) throws Exception {
        Path file = folder.resolve(path);
        Files.createDirectories(folder.resolve("secrets"));
        Files.createDirectories(file.getParent());
        Files.writeString(file, "sluice_token");
        local("canal.admin.manager.fileDirectories = ../secrets");
        admin.instance("shop", SHOP + "canal.instance.dbUsername = ${file:../" + path + "}\n");

        ReadConfiguration read = reader().readOnce();

        assertThat(read.instanceProblems().get("shop"))
                .singleElement()
                .asString()
                .contains("canal.admin.manager.fileDirectories", "canal.instance.dbUsername")
                .doesNotContain("sluice_token");
    }

    @Test
    void aTextOfAnAdminServerGetsFilesOfTheDirectoriesForThatAndThoseOfTheLocalFile() throws Exception {
        Path secrets = Files.createDirectories(folder.resolve("secrets"));
        Files.writeString(secrets.resolve("user"), "reader");
        Files.writeString(folder.resolve("bootstrap"), "127.0.0.1:9093");
        local("""
                canal.admin.manager.fileDirectories = /run/secrets, ../secrets
                kafka.bootstrap.servers = ${file:../bootstrap}
                """);
        admin.instance("shop", SHOP + "canal.instance.dbUsername = ${file:../secrets/user}\n");

        Configuration configuration = reader().load();

        assertThat(configuration.instances().get(0).login().user()).isEqualTo("reader");
        assertThat(configuration.server().producerProperties())
                .containsEntry("kafka.bootstrap.servers", "127.0.0.1:9093");
    }

    /** The file is another one with the same time, which is not read again; opening a store is expensive. */
    @Test
    void aKeyStoreOfTheSchemaHistoryIsOpenedOnceUntilItsFileChanges() throws Exception {
        Path store = keyStore();
        home.server(withKeyStore(store, "changeit"));
        ConfigReader reader = reader();
        reader.start();
        FileTime modified = Files.getLastModifiedTime(store);
        Files.write(store, new byte[(int) Files.size(store)]);
        Files.setLastModifiedTime(store, modified);

        assertThat(reader.read().instanceProblems()).isEmpty();

        Files.setLastModifiedTime(store, FileTime.fromMillis(modified.toMillis() + 1_000));
        assertThat(reader.read().instanceProblems().get("shop"))
                .singleElement()
                .asString()
                .contains("cannot read key store " + store);
    }

    /** Here the file cannot be read for its content, but there are causes that pass and leave it as it was. */
    @Test
    void aKeyStoreThatCannotBeReadIsOpenedAgain() throws Exception {
        Path store = keyStore();
        byte[] sound = Files.readAllBytes(store);
        FileTime modified = Files.getLastModifiedTime(store);
        Files.write(store, new byte[sound.length]);
        Files.setLastModifiedTime(store, modified);
        home.server(withKeyStore(store, "changeit"));
        ConfigReader reader = reader();
        assertThat(reader.read().instanceProblems()).containsKey("shop");

        Files.write(store, sound);
        Files.setLastModifiedTime(store, modified);

        assertThat(reader.read().instanceProblems()).isEmpty();
    }

    private Path keyStore() throws Exception {
        Path store = folder.resolve("trust.p12");
        KeyStore empty = KeyStore.getInstance("PKCS12");
        empty.load(null, null);
        try (OutputStream out = Files.newOutputStream(store)) {
            empty.store(out, "changeit".toCharArray());
        }
        return store;
    }

    private static String withKeyStore(Path store, String password) {
        return ConfigHome.SERVER
                + ConfigHome.SHOP
                + "canal.instance.tsdb.url = jdbc:mysql://db/h?sslMode=VERIFY_CA&trustCertificateKeyStoreUrl=%s&trustCertificateKeyStorePassword=%s%n"
                        .formatted(store, password);
    }

    @Test
    void aKeyStoreIsOpenedAgainWithAnotherPassword() throws Exception {
        Path store = keyStore();
        home.server(withKeyStore(store, "changeit"));
        ConfigReader reader = reader();
        reader.start();

        home.server(withKeyStore(store, "another"));

        assertThat(reader.read().instanceProblems().get("shop"))
                .singleElement()
                .asString()
                .contains("its password is not the configured one")
                .doesNotContain("another");
    }

    @Test
    void aFileOfAnInstanceThatWasThereBeforeAndIsGoneIsAProblemAndNotAnEmptyFile() throws Exception {
        home.server(ConfigHome.SERVER + ConfigHome.SHOP);
        home.instance("shop", "canal.instance.filter.black.regex = shop\\\\.secrets\n");
        ConfigReader reader = reader();
        reader.start();
        Files.delete(home.instanceFile("shop"));

        ReadConfiguration read = reader.read();

        assertThat(read.serverProblems()).isEmpty();
        assertThat(read.instanceProblems().get("shop"))
                .singleElement()
                .asString()
                .contains("conf/shop/instance.properties", "there is no such file");
        home.instance("shop", "");
        assertThat(reader.read().instanceProblems()).isEmpty();
    }

    @Test
    void startsWithWhatTheAdminServerHas() throws Exception {
        admin.instance("till", SHOP.replace("shop", "till").replace("db:", "other:"));

        Configuration configuration = reader().start();

        assertThat(names(configuration)).containsExactly("shop", "till");
        assertThat(configuration.server().producerProperties())
                .containsEntry("kafka.bootstrap.servers", "127.0.0.1:9092");
        assertThat(configuration.instances().get(0).login().address()).hasToString("db:3306");
        assertThat(admin.questions().get(0)).contains("ip=10.0.0.7&port=11110&md5=&register=0");
    }

    @Test
    void theLocalFileWinsOverTheServersTextAndThatOverTheInstances() throws Exception {
        local("canal.auto.scan.interval = 9");
        admin.server(SERVER + "canal.auto.scan.interval = 3\ncanal.instance.filter.regex = shop\\\\..*\n");
        admin.instance("shop", SHOP + "canal.instance.filter.regex = till\\\\..*\n");

        Configuration configuration = reader().start();

        assertThat(configuration.server().scan().orElseThrow()).hasSeconds(9);
        assertThat(configuration.instances().get(0).filter().tables().passes("shop", "a"))
                .isTrue();
        assertThat(Warning.texts(configuration.warnings()))
                .anyMatch(line -> line.contains("canal.auto.scan.interval") && line.contains("as with canal"))
                .anyMatch(line -> line.contains("instance.properties of shop at http://" + admin.address())
                        && line.contains("canal.instance.filter.regex"));
    }

    @Test
    void anInstanceThatFailsIsTriedAgainUnlessItsConfigurationSaysOtherwise() throws Exception {
        admin.instance("till", SHOP + "canal.instance.restart = never\n");
        ConfigReader reader = reader();

        Configuration configuration = reader.start();

        assertThat(configuration.instances())
                .extracting(InstanceConfig::destination, InstanceConfig::restart)
                .containsExactly(tuple("shop", RestartPolicy.BACKOFF), tuple("till", RestartPolicy.NEVER));
        assertThat(reader.effective(configuration).instances())
                .flatExtracting(EffectiveConfiguration.Instance::values)
                .filteredOn(value -> value.key().equals("canal.instance.restart"))
                .extracting(EffectiveConfiguration.Value::text, EffectiveConfiguration.Value::isDefault)
                .containsExactly(tuple("backoff", true), tuple("never", false));
    }

    @Test
    void localFilesOfInstancesAreNotReadAndThatIsSaid() throws Exception {
        home.instance("shop", "canal.instance.filter.regex = other\\\\..*\n");
        home.instance("local", SHOP);

        Configuration configuration = reader().start();

        assertThat(names(configuration)).containsExactly("shop");
        assertThat(configuration.instances().get(0).filter().tables().passes("shop", "a"))
                .isTrue();
        assertThat(Warning.texts(configuration.warnings()))
                .anyMatch(line -> line.contains("shop/instance.properties is not read"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            canal.admin.passwd =                      | canal.admin.passwd: is required by canal.admin.manager
            canal.admin.passwd = admin                | must be the 40 hexadecimal digits
            canal.admin.manager = ftp://host          | must be host:port, or a URL
            canal.admin.manager = http://u:p@host     | must be host:port, or a URL
            canal.admin.manager = http://host?x=y     | must be host:port, or a URL
            canal.admin.manager = canal_admin:8089    | has a _ in the name of the host
            canal.admin.user = näme                   | printable ASCII
            """)
    void whatTheLocalFileSaysWronglyIsSaid(String line, String complaint) {
        local(line);

        ConfigException failure = catchThrowableOfType(ConfigException.class, () -> reader().start());

        assertThat(failure).hasMessageContaining(complaint).hasMessageNotContaining("u:p@");
        assertThat(admin.questions()).isEmpty();
    }

    @Test
    void aStartWithoutTheAdminServerTriesForAWhileAndFails() {
        admin.goDown();
        long before = time.nanos();

        AdminException failure = catchThrowableOfType(AdminException.class, () -> reader().start());

        assertThat(failure).hasMessageContainingAll(admin.address(), "no connection is possible");
        assertThat(time.nanos() - before).isBetween(26_000_000_000L, 30_000_000_000L);
    }

    @Test
    void aStartThatFindsTheAdminServerLaterRuns() throws Exception {
        int[] asked = {0};
        admin.fail(question -> {
            if (++asked[0] == 2) {
                admin.fail(null);
            }
            PolledAdmin.send(question, 503, new byte[0]);
        });

        assertThat(names(reader().start())).containsExactly("shop");
    }

    @Test
    void aServerThatIsNotKnownDoesNotStartAndIsNotTriedAgain() throws Exception {
        reader().start();
        admin.forget();

        AdminException failure = catchThrowableOfType(AdminException.class, () -> reader().start());

        assertThat(failure).hasMessageContaining("canal.admin.register.auto");
        local("canal.admin.register.auto = true");
        assertThat(names(reader().start())).containsExactly("shop");
    }

    @Test
    void aStartWithoutTheAdminServerTakesTheCopyAndSaysSoUntilItIsBack() throws Exception {
        reader().start();
        admin.goDown();
        ConfigReader reader = reader();

        Configuration configuration = reader.start();

        assertThat(names(configuration)).containsExactly("shop");
        assertThat(configuration.warnings().get(0).toString())
                .contains("no connection is possible", "the configuration of 2023-", "canal-admin-copy.json");
        ReadConfiguration during = reader.read();
        assertThat(during.sourceProblem()).contains("no connection is possible", "since 2023-");
        assertThat(during.configuration().digests()).isEqualTo(configuration.digests());
        time.passSeconds(60);
        assertThat(reader.read().sourceProblem()).isEqualTo(during.sourceProblem());
        admin.comeBack();
        ReadConfiguration after = reader.read();
        assertThat(after.sourceProblem()).isEmpty();
        assertThat(after.configuration().digests()).isEqualTo(configuration.digests());
    }

    @Test
    void aStartAtWhichTheAdminServerDoesNotSayWhichInstancesThereAreRunsThoseOfTheCopy() throws Exception {
        reader().start();
        admin.hideList();
        admin.instance("shop", SHOP + "canal.instance.memory.buffer.size = 4096\n");

        Configuration configuration = reader().start();

        assertThat(names(configuration)).containsExactly("shop");
        assertThat(configuration.instances().get(0).store().ring().slots()).isEqualTo(4096);
        admin.goDown();
        assertThat(names(reader().start())).as("the copy has them still").containsExactly("shop");
    }

    @Test
    void withoutACopyNoneIsWrittenAndAStartFailsAsCanalsDoes() throws Exception {
        local("canal.admin.copy.enable = false");
        reader().start();

        assertThat(folder.resolve("conf/canal-admin-copy.json")).doesNotExist();
        admin.goDown();
        assertThat(catchThrowableOfType(AdminException.class, () -> reader().start()))
                .hasMessageContaining("no connection");
    }

    @Test
    void aDamagedCopyIsSaid() throws Exception {
        reader().start();
        Files.writeString(folder.resolve("conf/canal-admin-copy.json"), "{");

        assertThat(Warning.texts(reader().start().warnings()))
                .anyMatch(line -> line.contains("canal-admin-copy.json is damaged"));
    }

    @Test
    void changesAreReadAndKept() throws Exception {
        ConfigReader reader = reader();
        Configuration configuration = reader.start();
        admin.instance("till", SHOP.replace("db:", "other:"));
        admin.instance("shop", SHOP + "canal.instance.memory.buffer.size = 4096\n");

        ReadConfiguration read = reader.read();

        assertThat(names(read.configuration())).containsExactly("shop", "till");
        assertThat(configuration
                        .digests()
                        .hasChanged("shop", read.configuration().digests()))
                .isTrue();
        reader.takenOver(null);
        admin.goDown();
        assertThat(names(reader.read().configuration())).containsExactly("shop", "till");
        assertThat(names(reader().start())).containsExactly("shop", "till");
    }

    /** The rest of such an answer was read once only, perhaps in the middle of a change of the admin server. */
    @Test
    void ofAnAnswerThatIsTakenOverForOneInstanceNothingElseIsKeptOrInForce() throws Exception {
        admin.instance("till", SHOP.replace("db:", "other:"));
        ConfigReader reader = reader();
        Configuration configuration = reader.start();
        admin.instance("shop", SHOP + "canal.instance.memory.buffer.size = 4096\n");
        admin.remove("till");
        ReadConfiguration changed = reader.read();

        reader.takenOver("shop");

        admin.goDown();
        Configuration during = reader.read().configuration();
        assertThat(names(during)).containsExactly("shop", "till");
        assertThat(during.digests().hasChanged("shop", changed.configuration().digests()))
                .isFalse();
        assertThat(during.digests().hasChanged("till", configuration.digests())).isFalse();
        Configuration ofTheCopy = reader().start();
        assertThat(names(ofTheCopy)).containsExactly("shop", "till");
        assertThat(ofTheCopy.instances().get(0).store().ring().slots()).isEqualTo(4096);
    }

    /** Its former server's text with the instance's new one is a configuration that the admin server never had. */
    @Test
    void anInstanceThatIsTakenOverAloneIsNotKeptWithTheServersFormerText() throws Exception {
        ConfigReader reader = reader();
        Configuration configuration = reader.start();
        admin.server(SERVER + "canal.instance.filter.regex = shop\\\\..*\n");
        admin.instance("shop", SHOP + "canal.instance.memory.buffer.size = 4096\n");
        reader.read();

        reader.takenOver("shop");

        admin.goDown();
        assertThat(reader.read().configuration().digests()).isEqualTo(configuration.digests());
        assertThat(reader().start().digests()).isEqualTo(configuration.digests());
    }

    @Test
    void anInstanceThatIsTakenOverAloneMayBeOneThatIsGone() throws Exception {
        admin.instance("till", SHOP.replace("db:", "other:"));
        ConfigReader reader = reader();
        reader.start();
        admin.remove("till");
        reader.read();

        reader.takenOver("till");

        admin.goDown();
        assertThat(names(reader.read().configuration())).containsExactly("shop");
        assertThat(names(reader().start())).containsExactly("shop");
    }

    /** As while the admin server is changed: of two looks, the second one finds something else, or nothing. */
    @Test
    void anAnswerThatIsNotTakenOverIsNeitherKeptNorInForceWhenTheAdminServerIsDown() throws Exception {
        ConfigReader reader = reader();
        Configuration configuration = reader.start();
        admin.remove("shop");
        admin.instance("till", SHOP.replace("db:", "other:"));
        assertThat(names(reader.read().configuration())).containsExactly("till");

        admin.goDown();

        ReadConfiguration during = reader.read();
        assertThat(during.sourceProblem()).contains("no connection is possible");
        assertThat(during.configuration().digests()).isEqualTo(configuration.digests());
        reader.takenOver(null); // to report the problem
        assertThat(names(reader().start())).containsExactly("shop");
    }

    @Test
    void anInstanceThatTheAdminServerDoesNotHaveAnyMoreIsRemovedThoughTheServersTextHasAKeyOfIt() throws Exception {
        admin.server(SERVER + "canal.instance.till.spring.xml = classpath:spring/file-instance.xml\n");
        admin.instance("till", SHOP.replace("db:", "other:"));
        ConfigReader reader = reader();
        assertThat(names(reader.start())).containsExactly("shop", "till");
        admin.remove("till");

        ReadConfiguration read = reader.read();

        assertThat(read.serverProblems()).isEmpty();
        assertThat(names(read.configuration())).containsExactly("shop");
        assertThat(Warning.texts(read.configuration().warnings()))
                .anySatisfy(warning -> assertThat(warning)
                        .contains("canal.instance.till.spring.xml has no effect, since there is no instance till"));
        assertThat(names(reader().start())).containsExactly("shop");
    }

    @Test
    void anInstanceThatIsWrongIsAProblemOfThatOneAndTheCopyKeepsWhatWasRight() throws Exception {
        ConfigReader reader = reader();
        reader.start();
        admin.instance("shop", SHOP + "canal.instance.memory.buffer.size = many\n");
        admin.instance("till", SHOP.replace("db:", "other:"));

        ReadConfiguration read = reader.read();

        assertThat(read.serverProblems()).isEmpty();
        assertThat(read.instanceProblems()).containsOnlyKeys("shop");
        assertThat(read.instanceProblems().get("shop"))
                .first()
                .asString()
                .contains("instance.properties of shop at http://" + admin.address() + ", line 4")
                .contains("canal.instance.memory.buffer.size = many");
        Configuration restarted = reader().start();
        assertThat(names(restarted)).containsExactly("shop", "till");
        assertThat(Warning.texts(restarted.warnings()))
                .anyMatch(line -> line.contains("it runs with what was right before"));
        admin.goDown();
        assertThat(names(reader().start())).containsExactly("shop", "till");
    }

    @Test
    void anInstanceThatWasNeverRightKeepsNoOtherFromRunning() throws Exception {
        admin.instance("bad", "canal.instance.master.address = nowhere\n");
        admin.instance("../evil", SHOP);
        admin.instance("empty", null);
        ConfigReader reader = reader();

        Configuration configuration = reader.start();

        assertThat(names(configuration)).containsExactly("shop");
        assertThat(Warning.texts(configuration.warnings()))
                .anyMatch(line -> line.contains("the instance bad") && line.contains("until that is corrected"))
                .anyMatch(line -> line.contains("no instance can be named \"../evil\""))
                .anyMatch(line -> line.contains("lists the instance, but has no configuration of it"));
        assertThat(folder.resolve("evil")).doesNotExist();
        assertThat(reader.read().instanceProblems()).containsOnlyKeys("bad", "../evil", "empty");
    }

    @Test
    void aNewInstanceWithTheReplicaIdOfAnotherOneKeepsThatOneFromRunningAtNoStart() throws Exception {
        admin.instance("shop", SHOP + "canal.instance.mysql.slaveId = 4711\n");
        reader().start();
        admin.instance("till", SHOP + "canal.instance.mysql.slaveId = 4711\n");

        for (int start = 0; start < 2; start++) {
            ConfigReader reader = reader();
            Configuration configuration = reader.start();
            assertThat(names(configuration)).containsExactly("shop");
            assertThat(Warning.texts(configuration.warnings()))
                    .anyMatch(line -> line.contains("the instance shop: built in: canal.instance.mysql.slaveId")
                            && line.contains("it runs with what was right before"))
                    .anyMatch(line -> line.contains("the instance till: built in: canal.instance.mysql.slaveId")
                            && line.contains("it does not run until that is corrected"));
            assertThat(reader.problemsAtStart()).containsOnlyKeys("shop", "till");
        }
    }

    @Test
    void aNewInstanceThatClashesWithTheFormerConfigurationOfAnotherOneDoesNotRun() throws Exception {
        admin.instance("shop", SHOP + "canal.instance.mysql.slaveId = 4711\n");
        reader().start();
        admin.instance("shop", SHOP + "canal.instance.mysql.slaveId = many\n");
        admin.instance("till", SHOP + "canal.instance.mysql.slaveId = 4711\n");
        ConfigReader reader = reader();

        assertThat(names(reader.start())).containsExactly("shop");
        assertThat(reader.problemsAtStart()).containsOnlyKeys("shop", "till");
    }

    @Test
    void anUnchangedInstanceThatTheServersTextMakesWrongDoesNotRunAndThatIsSaid() throws Exception {
        reader().start();
        admin.server(SERVER + "canal.instance.memory.buffer.size = many\n");

        Configuration configuration = reader().start();

        assertThat(configuration.instances()).isEmpty();
        assertThat(Warning.texts(configuration.warnings()))
                .anyMatch(line -> line.contains("the instance shop") && line.contains("until that is corrected"))
                .noneMatch(line -> line.contains("what was right before"));
    }

    @Test
    void aServersTextThatIsWrongIsNotStartedAndNotTakenOver() throws Exception {
        ConfigReader reader = reader();
        reader.start();
        admin.server(SERVER + "canal.prot = 1\n");

        assertThat(reader.read().serverProblems())
                .map(Problem::toString)
                .containsExactly("canal.properties of http://" + admin.address()
                        + ", line 5: canal.prot: there is no such key; did you mean canal.port?");
        assertThat(catchThrowableOfType(ConfigException.class, () -> reader().start()))
                .hasMessageContaining("canal.prot");
        admin.goDown();
        assertThat(names(reader().start())).as("the copy is what was right").containsExactly("shop");
    }

    /** A restart asks before the server is stopped. */
    @Test
    void whatKeepsAServerFromStartingIsFoundBeforeAndInstancesThatAreWrongAreNot() throws Exception {
        admin.instance("shop", SHOP + "canal.instance.fooo = 1\n");
        reader().requireStart();

        admin.server(SERVER + "canal.prot = 1\n");
        assertThat(catchThrowableOfType(ConfigException.class, () -> reader().requireStart()))
                .hasMessageContaining("canal.prot")
                .hasMessageNotContaining("canal.instance.fooo");

        admin.goDown();
        assertThat(catchThrowableOfType(ConfigException.class, () -> reader().requireStart()))
                .as("there is no copy")
                .hasMessageContaining("no connection");

        home.server(ConfigHome.SERVER + ConfigHome.SHOP);
        home.instance("shop", "canal.instance.fooo = 1\n");
        assertThat(catchThrowableOfType(ConfigException.class, () -> reader().requireStart()))
                .hasMessageContaining("canal.instance.fooo");
    }

    /** As after its row was deleted there, or with a new database: the server that runs only warns, and a start registers it again. */
    @Test
    void aServerThatIsUnknownAtTheAdminServerMayBeRestartedIfTheStartRegistersIt() throws Exception {
        admin.forget();
        assertThat(catchThrowableOfType(ConfigException.class, () -> reader().requireStart()))
                .hasMessageContaining("it does not know the server");

        local("canal.admin.register.auto = true");
        reader().requireStart();

        assertThat(admin.questions())
                .as("only the start registers it")
                .isNotEmpty()
                .allMatch(question -> question.contains("register=0"));
        assertThat(names(reader().start())).containsExactly("shop");
    }

    @Test
    void aServerWithoutInstancesWaitsForOne() throws Exception {
        admin.remove("shop");
        ConfigReader reader = reader();

        assertThat(reader.start().instances()).isEmpty();
        admin.instance("shop", SHOP);
        assertThat(names(reader.read().configuration())).containsExactly("shop");
    }

    @Test
    void commandsAskOnceAndDoNotRegister() throws Exception {
        local("canal.admin.register.auto = true");
        admin.forget();
        assertThat(catchThrowableOfType(ConfigException.class, () -> reader().load()))
                .hasMessageContaining("canal.admin.manager");
        assertThat(admin.questions()).hasSize(1).allMatch(question -> question.contains("register=0"));
        reader().start();

        assertThat(names(reader().load())).containsExactly("shop");
        admin.goDown();
        Configuration ofTheCopy = reader().load();
        assertThat(names(ofTheCopy)).containsExactly("shop");
        assertThat(ofTheCopy.warnings().get(0).toString()).contains("canal-admin-copy.json");
        Files.delete(folder.resolve("conf/canal-admin-copy.json"));
        assertThat(catchThrowableOfType(ConfigException.class, () -> reader().load()))
                .hasMessageContaining("no connection");
    }

    @Test
    void theValuesThatCountTellWhereTheyAreFrom() throws Exception {
        home.variables.put("canal.instance.memory.buffer.memunit", "2048");
        ConfigReader reader = reader();
        EffectiveConfiguration effective = reader.effective(reader.load());

        Map<String, String> origins = new HashMap<>();
        effective.server().forEach(value -> origins.put(value.key(), value.origin()));
        effective.instances().get(0).values().forEach(value -> origins.put(value.key(), value.origin()));
        assertThat(origins)
                .containsEntry("canal.serverMode", "canal.properties of http://" + admin.address() + ", line 1")
                .containsEntry(
                        "canal.mq.topic", "instance.properties of shop at http://" + admin.address() + ", line 3")
                .containsEntry("canal.instance.memory.buffer.memunit", "environment variable")
                .containsEntry("canal.admin.user", home.serverFile() + ":2");
        assertThat(effective.toString()).doesNotContain("a secret password", PolledAdmin.PASSWORD);
    }

    @Test
    void nothingSecretIsInWhatIsSaid() throws Exception {
        admin.server(SERVER + "kafka.sasl.jaas.config = x password=\"hidden one\"\n");
        admin.instance(
                "shop",
                SHOP + "canal.instance.dbPassword = hidden two\ncanal.instance.dbUsername = ${x\n"
                        + "canal.instance.memory.buffer.size = ${canal.instance.dbPassword}\n");
        ConfigReader reader = reader();
        Configuration configuration = reader.start();

        String said =
                configuration.warnings() + reader.read().instanceProblems().toString() + configuration.server();
        assertThat(said).doesNotContain("hidden one", "hidden two", PolledAdmin.PASSWORD);
        assertThat(admin.questions()).noneMatch(question -> question.contains(PolledAdmin.PASSWORD));
    }
}
