package io.sluice.server.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Warning;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files that canal ships, every key with its value, can be used when their addresses are changed. */
class CanalFilesTest {
    private static final Path FILES = Path.of("src", "test", "resources", "canal-1.1.8");

    /** Its password is one that everybody knows. */
    private static final String ADMIN_WARNING = "the management port (canal.admin.port) stays closed";

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource({
        "kafka, kafka.bootstrap.servers, broker:9092",
        "rocketMQ, rocketmq.namesrv.addr, names:9876",
        "rabbitMQ, rabbitmq.host, broker:5672",
        "pulsarMQ, pulsarmq.serverUrl, pulsar://broker:6650",
    })
    void theyWorkWithEachQueue(String mode, String key, String address) throws Exception {
        change("canal.properties", "canal.serverMode", mode);
        change("canal.properties", key, address);

        Configuration configuration = load();

        assertThat(configuration.warnings()).singleElement().asString().startsWith(ADMIN_WARNING);
        assertThat(configuration.server().admin()).isEmpty();
        assertThat(configuration.server().destinations()).containsExactly("example");
        assertThat(configuration.server().producerProperties()).containsEntry(key, address);
        assertThat(configuration.instances().get(0).login().address()).hasToString("db:3306");
    }

    @Test
    void withClientsThatPullTheyNeedOneLineMore() throws Exception {
        ConfigException refused = catchThrowableOfType(ConfigException.class, this::load);

        assertThat(refused.problems()).extracting(Problem::key).containsExactly("canal.ip");
        assertThat(refused.problems().get(0).complaint())
                .endsWith(
                        "; if this is intended, as with canal, add the line canal.tcp.allow.anonymous = true; canal.ip is blank here");

        Files.writeString(
                conf("canal.properties"),
                Files.readString(conf("canal.properties")) + "canal.tcp.allow.anonymous = true\n");
        assertThat(Warning.texts(load().warnings()))
                .satisfiesExactlyInAnyOrder(
                        warning -> assertThat(warning)
                                .startsWith(
                                        "canal.tcp.allow.anonymous = true: clients need no password on port 11111 of all"
                                                + " addresses"),
                        warning -> assertThat(warning).startsWith(ADMIN_WARNING));
    }

    private Configuration load() throws Exception {
        change("example/instance.properties", "canal.instance.master.address", "db:3306");
        Environment environment = new Environment(
                Map.of(), Map.of(), (Inet4Address) InetAddress.getByAddress(new byte[] {10, 20, 30, 40}), 4);
        return ConfigLoader.load(conf("canal.properties"), home.resolve("bin"), environment, ProducerCheck.NONE);
    }

    /** Gives a key of a file another value, as an operator does. */
    private void change(String file, String key, String value) throws IOException {
        Path target = conf(file);
        String before = Files.readString(target);
        String line = "(?m)^" + key.replace(".", "\\.") + " =.*$";
        assertThat(before).containsPattern(line);
        Files.writeString(target, before.replaceAll(line, key + " = " + value));
    }

    /** A file below {@code conf}, which is canal's at first. */
    private Path conf(String file) throws IOException {
        Path target = home.resolve("conf").resolve(file);
        if (!Files.exists(target)) {
            Files.createDirectories(home.resolve("bin"));
            Files.createDirectories(home.resolve("conf/example"));
            for (String one : new String[] {"canal.properties", "example/instance.properties"}) {
                Files.copy(FILES.resolve(one), home.resolve("conf").resolve(one));
            }
        }
        return target;
    }
}
