package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.EffectiveConfiguration.Value;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the value of each key comes from, and what is shown of it. */
class EffectiveConfigurationTest {
    @TempDir
    Path folder;

    private final Map<String, String> properties = new LinkedHashMap<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private Path serverFile;
    private Path instanceFile;

    @BeforeEach
    void nameFiles() throws IOException {
        serverFile = folder.resolve("conf/canal.properties");
        instanceFile = folder.resolve("conf/shop/instance.properties");
        Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(instanceFile.getParent());
    }

    @Test
    void theOriginOfAValueIsTheLayerThatWins() throws Exception {
        write(serverFile, "canal.serverMode=kafka", "canal.destinations=shop", "kafka.bootstrap.servers=a:1");
        write(instanceFile, "canal.instance.master.address=db:3306", "", "canal.mq.topic=t");
        properties.put("canal.mq.partition", "3");
        variables.put("canal.instance.mysql.slaveId", "77");

        EffectiveConfiguration effective = read();

        assertThat(server(effective, "canal.destinations").origin()).isEqualTo(serverFile + ":2");
        assertThat(server(effective, "kafka.bootstrap.servers").text()).isEqualTo("a:1");
        assertThat(shop(effective, "canal.mq.topic").origin()).isEqualTo(instanceFile + ":3");
        assertThat(shop(effective, "canal.mq.partition"))
                .isEqualTo(new Value("canal.mq.partition", "3", "", "system property", false, ""));
        assertThat(shop(effective, "canal.instance.mysql.slaveId").origin()).isEqualTo("environment variable");
        assertThat(shop(effective, "canal.instance.filter.regex"))
                .isEqualTo(new Value("canal.instance.filter.regex", ".*\\..*", "", "default", true, ""));
    }

    @Test
    void anInstanceHasTheValueOfTheServersFileUnlessItsOwnIsThere() throws Exception {
        write(
                serverFile,
                "canal.serverMode=tcp",
                "canal.destinations=shop",
                "canal.ip=127.0.0.1",
                "canal.instance.gtidon=true",
                "canal.instance.xa=committed");
        write(instanceFile, "canal.instance.master.address=db:3306", "canal.instance.xa=");

        EffectiveConfiguration effective = read();

        assertThat(shop(effective, "canal.instance.gtidon").origin()).isEqualTo(serverFile + ":4");
        assertThat(shop(effective, "canal.instance.xa"))
                .isEqualTo(new Value(
                        "canal.instance.xa", "prepared", "", "default", true, "blank at " + instanceFile + ":2"));
    }

    @Test
    void aValueWithPlaceholdersIsShownBothWays() throws Exception {
        write(serverFile, "canal.serverMode=kafka", "canal.destinations=shop", "kafka.bootstrap.servers=a:1");
        write(instanceFile, "canal.instance.master.address=db:3306", "canal.mq.topic=t_${canal.instance.destination}");

        Value topic = shop(read(), "canal.mq.topic");

        assertThat(topic.text()).isEqualTo("t_shop");
        assertThat(topic.written()).isEqualTo("t_${canal.instance.destination}");
    }

    @Test
    void noSecretIsShown() throws Exception {
        write(
                serverFile,
                "canal.serverMode=kafka",
                "canal.destinations=shop",
                "kafka.bootstrap.servers=a:1",
                "kafka.ssl.truststore.password=hunter2",
                "kafka.proxy=http://user:hunter2@proxy:1");
        write(
                instanceFile,
                "canal.instance.master.address=db:3306",
                "canal.instance.dbPassword=${db.secret}",
                "canal.instance.tsdb.dbPassword=x${db.secret}hunter2",
                "canal.instance.tsdb.url=jdbc:mysql://h:1/d?user=u&password=hunter2",
                "canal.mq.topic=${indirect}",
                "canal.mq.deadLetter.topic=none");
        variables.put("db.secret", "hunter2");
        variables.put("indirect", "${db.secret}");

        EffectiveConfiguration effective = read();

        assertThat(effective.toString()).doesNotContain("hunter2");
        assertThat(server(effective, "kafka.ssl.truststore.password").text()).isEqualTo("******");
        assertThat(server(effective, "kafka.proxy").text()).isEqualTo("http://user:******@proxy:1");
        assertThat(shop(effective, "canal.instance.dbPassword").text()).isEqualTo("******");
        assertThat(shop(effective, "canal.instance.dbPassword").written()).isEqualTo("${db.secret}");
        assertThat(shop(effective, "canal.instance.tsdb.dbPassword").written()).isEmpty();
        assertThat(shop(effective, "canal.instance.tsdb.url").text())
                .isEqualTo("jdbc:mysql://h:1/d?user=u&password=******");
        assertThat(shop(effective, "canal.mq.topic").text()).isEqualTo("******");
    }

    @Test
    void nothingThatIsFromAFileOrAVariableIsShownButWhereItIsFrom() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "hunter2");
        write(
                serverFile,
                "canal.serverMode=kafka",
                "canal.destinations=shop",
                "kafka.bootstrap.servers=a:1",
                "kafka.client.id=${env:CLIENT}",
                "kafka.ssl.key.password=${file:" + secret + "}",
                "canal.instance.global.spring.xml=${file:../wiring}");
        Files.writeString(folder.resolve("wiring"), "classpath:spring/memory-instance.xml");
        write(
                instanceFile,
                "canal.instance.master.address=db:3306",
                "canal.instance.dbPassword=${file:../secret}",
                "canal.instance.tsdb.dbPassword=${env:UNSET:hunter2}",
                "canal.mq.topic=t_${env:CLIENT}",
                "canal.instance.defaultDatabaseName=${db.secret:hunter2}");
        variables.put("CLIENT", "hunter2");

        EffectiveConfiguration effective = read();

        assertThat(effective.toString()).doesNotContain("hunter2").doesNotContain("memory-instance");
        assertThat(server(effective, "kafka.client.id"))
                .isEqualTo(new Value("kafka.client.id", "******", "${env:CLIENT}", serverFile + ":4", false, ""));
        assertThat(server(effective, "kafka.ssl.key.password").written()).isEqualTo("${file:" + secret + "}");
        assertThat(shop(effective, "canal.instance.dbPassword").text()).isEqualTo("******");
        assertThat(shop(effective, "canal.instance.dbPassword").written()).isEqualTo("${file:../secret}");
        assertThat(shop(effective, "canal.instance.tsdb.dbPassword").written()).isEmpty();
        assertThat(shop(effective, "canal.mq.topic").text()).isEqualTo("******");
        assertThat(shop(effective, "canal.mq.topic").written()).isEmpty();
        assertThat(shop(effective, "canal.instance.defaultDatabaseName").text()).isEqualTo("******");
    }

    @Test
    void aValueUnderAnOldNameIsShownUnderTheNameThatItOverwrites() throws Exception {
        write(
                serverFile,
                "canal.serverMode=kafka",
                "canal.destinations=shop",
                "kafka.bootstrap.servers=a:1",
                "canal.mq.servers=b:2");
        write(instanceFile, "canal.instance.master.address=db:3306", "canal.mq.topic=t");

        EffectiveConfiguration effective = read();

        assertThat(server(effective, "kafka.bootstrap.servers"))
                .isEqualTo(new Value(
                        "kafka.bootstrap.servers", "b:2", "", serverFile + ":4", false, "set as canal.mq.servers"));
        assertThat(effective.server()).extracting(Value::key).doesNotContain("canal.mq.servers");
    }

    @Test
    void aKeyWithoutEffectIsMarked() throws Exception {
        write(
                serverFile,
                "canal.serverMode=kafka",
                "canal.destinations=shop",
                "kafka.bootstrap.servers=a:1",
                "canal.mq.send.thread.size=7",
                "canal.instance.global.spring.xml=classpath:spring/memory-instance.xml");
        write(instanceFile, "canal.instance.master.address=db:3306", "canal.mq.topic=t");

        EffectiveConfiguration effective = read();

        assertThat(server(effective, "canal.mq.send.thread.size").note()).isEqualTo("has no effect");
        assertThat(shop(effective, "canal.instance.global.spring.xml").origin()).isEqualTo(serverFile + ":5");
    }

    private EffectiveConfiguration read() throws ConfigException {
        Environment environment =
                new Environment(properties, variables, (Inet4Address) InetAddress.getLoopbackAddress(), 2);
        Configuration configuration =
                ConfigLoader.load(serverFile, folder.resolve("bin"), environment, ProducerCheck.NONE);
        return EffectiveConfiguration.read(configuration, folder.resolve("bin"), environment);
    }

    private static Value server(EffectiveConfiguration effective, String key) {
        return only(effective.server(), key);
    }

    private static Value shop(EffectiveConfiguration effective, String key) {
        assertThat(effective.instances()).hasSize(1);
        return only(effective.instances().get(0).values(), key);
    }

    private static Value only(List<Value> values, String key) {
        List<Value> found =
                values.stream().filter(value -> value.key().equals(key)).toList();
        assertThat(found).as(key).hasSize(1);
        return found.get(0);
    }

    private static void write(Path file, String... lines) throws IOException {
        Files.write(file, List.of(lines));
    }
}
