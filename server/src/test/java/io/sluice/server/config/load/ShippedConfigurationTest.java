package io.sluice.server.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.key.ProducerKeys;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Key;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the package can be used as they are. */
class ShippedConfigurationTest {
    private static final Path SHIPPED = Path.of("..", "deployer", "src", "main", "package", "conf");

    private static final Pattern SETTING = Pattern.compile("#?([A-Za-z.0-9]+\\.[A-Za-z.0-9]+) = ?(.*)");

    @TempDir
    Path home;

    /** Also a key that is commented out can be used as it is written there. */
    @ParameterizedTest
    @ValueSource(strings = {"canal.properties", "example/instance.properties"})
    void eachKeyWorksAndHasAValueThatIsAllowed(String file) throws Exception {
        List<String> keys = new ArrayList<>();
        for (String line : Files.readAllLines(SHIPPED.resolve(file))) {
            Matcher setting = SETTING.matcher(line);
            if (!setting.matches()) {
                assertThat(line).as("a comment, or blank").matches("|# .*|#");
                continue;
            }
            String name = setting.group(1);
            keys.add(name);
            Key<?> key = Keys.find(name);
            if (key == null) {
                assertThat(ProducerKeys.isOfAConnector(name)).as(name).isTrue();
                continue;
            }
            Properties values = new Properties();
            values.load(new StringReader(name + " = " + setting.group(2)));
            String value = values.getProperty(name, "");
            assertThat(key.support()).as(name).isEqualTo(Key.Support.NOW);
            if (!value.isEmpty()) {
                assertThatCode(() -> key.type().parser().apply(value)).as(name).doesNotThrowAnyException();
            }
        }
        assertThat(keys).hasSizeGreaterThan(15);
    }

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
