package io.sluice.server.config.load;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.read.ConfigHome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutsideValuesTest {
    @TempDir
    Path directory;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(directory);
        home.server(SERVER);
        home.instance("shop", SHOP);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'hunter2'        | 'hunter2'",
                "'hunter2\n'      | 'hunter2'",
                "'hunter2\r\n'    | 'hunter2'",
                "'hunter2\r'      | 'hunter2'",
                "'hunter2\n\n'    | 'hunter2\n'",
                "' two words \n'  | ' two words '",
                "'${a:b}\\n\n'    | '${a:b}\\n'",
                "'gr\u00fc\u00dfe \ud83d\udd11\n' | 'gr\u00fc\u00dfe \ud83d\udd11'",
            })
    void aFileGivesItsContentWithoutOneLineBreak(String content, String password) throws Exception {
        home.write("conf/secret", content);
        home.instance("shop", SHOP + "canal.instance.dbPassword = ${file:../conf/secret}\n");

        assertThat(passwordOfShop()).isEqualTo(password);
    }

    @Test
    void theServersKeysTakeFilesAndVariablesToo() throws Exception {
        home.variables.put("ZK_PASSWORD", "open sesame");
        Path file = home.write("run/zk-user", "sluice\n");
        home.server(SERVER + """
                canal.zkServers = zk:2181
                canal.zookeeper.auth.user = ${file:%s}
                canal.zookeeper.auth.password = ${env:ZK_PASSWORD}
                kafka.client.id = ${env:POD:sluice}-${file:../run/zk-user}-${else}
                """.formatted(file));

        var server = home.load().server();

        var login = server.cluster().orElseThrow().access().login().orElseThrow();
        assertThat(login.user()).isEqualTo("sluice");
        assertThat(login.password().value()).isEqualTo("open sesame");
        assertThat(server.producerProperties()).containsEntry("kafka.client.id", "sluice-sluice-${else}");
    }

    @Test
    void aValueMayBeMadeOfSeveral() throws Exception {
        home.variables.putAll(Map.of("SECRETS", "../run", "HOST", "db7", "EMPTY", ""));
        home.write("run/shop-password", "hunter2\n");
        home.instance("shop", """
                port = 3307
                canal.instance.master.address = ${env:HOST}:${port}
                canal.instance.dbUsername = ${env:DB_USER:${env:EMPTY:${port:retl}}}
                canal.instance.dbPassword = ${file:${env:SECRETS}/${canal.instance.destination}-password}
                canal.mq.topic = ${topic:shop${env:SUFFIX:}}
                """);

        InstanceConfig shop = home.load().instances().get(0);

        assertThat(shop.login().address()).hasToString("db7:3307");
        assertThat(shop.login().user()).isEqualTo("3307");
        assertThat(shop.login().password()).isEqualTo("hunter2");
        assertThat(shop.routing().topic()).isEqualTo("shop");
    }

    @Test
    void anUnusedFallbackNeedsNothing() throws Exception {
        home.variables.put("DB_PASSWORD", "hunter2");
        home.instance("shop", SHOP + "canal.instance.dbPassword = ${env:DB_PASSWORD:${file:/missing}}\n");

        assertThat(passwordOfShop()).isEqualTo("hunter2");
    }

    @Test
    void defaultsOfAllInstancesMayBeInTheServersFile() throws Exception {
        home.variables.put("DB_PASSWORD", "hunter2");
        home.server(SERVER + "canal.instance.dbPassword = ${env:DB_PASSWORD}\n");

        assertThat(passwordOfShop()).isEqualTo("hunter2");
    }

    @Test
    void variablesWithDottedNamesMayNameFiles() throws Exception {
        home.write("run/password", "hunter2\n");
        home.variables.put("canal.instance.dbPassword", "${file:../run/password}");

        assertThat(passwordOfShop()).isEqualTo("hunter2");
    }

    @Test
    void keysNamedFileOrEnvAreMeantWhereThereAreSome() throws Exception {
        home.variables.put("test", "variable");
        home.instance("shop", SHOP + """
                env = production
                file =
                canal.instance.dbUsername = ${env:test}
                canal.instance.defaultDatabaseName = ${file:stock}
                """);

        InstanceConfig shop = home.load().instances().get(0);

        assertThat(shop.login().user()).isEqualTo("production");
        assertThat(shop.login().database()).isEqualTo("stock");
    }

    @Test
    void kafkasOwnPlaceholdersStayForItsConfigProviders() throws Exception {
        home.variables.put("USER", "kafka");
        String jaas = "${file:/run/secrets:login}";
        home.server(SERVER + "kafka.sasl.jaas.config = " + jaas + "\nkafka.client.id = ${env:USER}\n");
        assertThat(home.load().server().producerProperties())
                .containsEntry("kafka.sasl.jaas.config", jaas)
                .containsEntry("kafka.client.id", "kafka");

        home.server(SERVER
                + "kafka.config.providers = file,env\ncanal.mq.servers = ${env:BROKERS}\nkafka.client.id = ${env:USER}\n"
                + "kafka.ssl.key.password = ${file:/run/key}\ncanal.zookeeper.auth.password = ${env:USER}\n");
        assertThat(home.load().server().producerProperties())
                .containsEntry("kafka.bootstrap.servers", "${env:BROKERS}")
                .containsEntry("kafka.client.id", "${env:USER}")
                .containsEntry("kafka.ssl.key.password", "${file:/run/key}");
    }

    @Test
    void otherKeysHaveNoConfigProviders() {
        home.server(SERVER
                + "kafka.config.providers = file\ncanal.metrics.tls.keyStorePassword = ${file:/run/secrets:login}\n");

        assertThat(home.problems())
                .containsExactly(home.serverFile() + ":5: canal.metrics.tls.keyStorePassword = ******: there is no file"
                        + " /run/secrets:login: create it, or correct the path");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${file:../run/missing} | there is no file %s/run/missing: create it, or correct the path",
                "${file:../run}         | %s/run is a directory: name a file in it",
                "${file:../run/large}   | the file %s/run/large has more than 65536 bytes: it must hold nothing but the value",
                "${file:../run/latin1}  | the file %s/run/latin1 is not text in UTF-8: convert it",
                "${file:../run/empty}   | the file %s/run/empty is empty: write the value into it, or leave the key blank for its default",
                "${file:../run/loop}    | the file %s/run/loop cannot be read (FileSystemException): check what it links to, and its file system",
                "${file:/dev/null}      | /dev/null is not a regular file: write the value into one",
                "${file:}               | %s/bin is a directory: name a file in it",
                "${env:NOT_SET}         | the environment variable NOT_SET is not set: set it for the server's process, or write a fallback, ${env:NOT_SET:fallback}, which may be blank",
                "${env:EMPTY}           | the environment variable EMPTY is empty: set it for the server's process, or write a fallback, ${env:EMPTY:fallback}, which may be blank",
            })
    void whatIsNotThereIsAProblem(String value, String complaint) throws Exception {
        home.variables.put("EMPTY", "");
        home.write("run/empty", "\n");
        home.write("run/large", "x".repeat(64 * 1024 + 1));
        Files.writeString(directory.resolve("run/latin1"), "schl\u00fcssel", StandardCharsets.ISO_8859_1);
        Files.createSymbolicLink(directory.resolve("run/loop"), Path.of("loop"));
        String expected = complaint.formatted(directory);
        home.instance(
                "shop",
                SHOP + "canal.instance.dbPassword = %s\ncanal.instance.dbUsername = %s\n".formatted(value, value));
        home.server(SERVER + "canal.metrics.pull.ip = " + value + "\n");

        assertThat(home.problems())
                .containsExactly(
                        home.serverFile() + ":4: canal.metrics.pull.ip = " + value + ": " + expected,
                        home.instanceFile("shop") + ":3: canal.instance.dbPassword = ******: " + expected,
                        home.instanceFile("shop") + ":4: canal.instance.dbUsername = " + value + ": " + expected);
    }

    @Test
    void aFileMayHaveUpTo64KiB() throws Exception {
        home.write("run/large", "x".repeat(64 * 1024));
        home.instance("shop", SHOP + "canal.instance.dbPassword = ${file:../run/large}\n");

        assertThat(passwordOfShop()).hasSize(64 * 1024);
    }

    /** It is not missing: it is there, and cannot be filled in. */
    @Test
    void aRequiredKeyThatCannotBeFilledInIsOneProblem() {
        home.server(SERVER.replace("127.0.0.1:9092", "${env:BROKERS}"));
        home.instance("shop", "canal.instance.master.address = ${env:DB}\ncanal.mq.topic = ${file:/missing}\n");

        assertThat(home.problems((mode, properties, problems) -> {
                    problems.accept("kafka.bootstrap.servers", "missing");
                    return Optional.empty();
                }))
                .hasSize(3)
                .allMatch(problem -> problem.contains("is not set") || problem.contains("there is no file"));
    }

    @Test
    void theNameOfAFileThatIsSecretItselfIsNotShown() {
        home.variables.put("PLACE", "/hunter2");
        home.instance("shop", SHOP + "canal.instance.dbUsername = ${file:${env:PLACE}/x}\n");

        assertThat(home.problems())
                .containsExactly(home.instanceFile("shop")
                        + ":3: canal.instance.dbUsername = ${file:${env:PLACE}/x}: there is no file ${env:PLACE}/x:"
                        + " create it, or correct the path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"${file:../run/value}", "${env:VALUE}", "${mine}", "${my.secret}"})
    void aWrongValueIsShownAsItIsWritten(String value) {
        home.variables.put("VALUE", "hunter2");
        home.write("run/value", "hunter2");
        home.instance("shop", SHOP + """
                        mine = ${env:VALUE}
                        my.secret = hunter2
                        canal.mq.partition = %s
                        canal.instance.detecting.sql = ${mine}${my.secret}
                        """.formatted(value));

        assertThat(home.problems())
                .containsExactly(home.instanceFile("shop") + ":5: canal.mq.partition = " + value
                        + ": must be a whole number, at least 0");
    }

    private String passwordOfShop() throws Exception {
        return home.load().instances().get(0).login().password();
    }
}
