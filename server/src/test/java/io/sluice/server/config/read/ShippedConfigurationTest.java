package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.text.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the package can be used as they are. */
class ShippedConfigurationTest {
    private static final Path SHIPPED = Path.of("..", "deployer", "src", "main", "package", "conf");

    @TempDir
    Path home;

    private Configuration load(Map<String, String> variables) throws Exception {
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("conf/example"));
        for (String file : new String[] {"canal.properties", "example/instance.properties"}) {
            Files.copy(SHIPPED.resolve(file), home.resolve("conf").resolve(file));
        }
        Environment here = Environment.ofThisProcess();
        return ConfigLoader.load(
                home.resolve("conf/canal.properties"),
                home.resolve("bin"),
                new Environment(Map.of(), variables, here.address(), here.processors()),
                ProducerCheck.NONE);
    }

    @Test
    void withAQueue() throws Exception {
        assertThat(load(Map.of()).warnings()).isEmpty();
    }

    @Test
    void withClientsThatPullFromThisMachine() throws Exception {
        Configuration configuration = load(Map.of("canal.serverMode", "tcp"));

        assertThat(configuration.warnings()).isEmpty();
        assertThat(configuration.server().tcp().orElseThrow().address()).isEqualTo("127.0.0.1");
    }
}
