package io.sluice.server.config.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of {@code docs/configuration.md} are generated from the definitions of the keys. */
class ConfigurationPageTest {
    private static final Path PAGE = Path.of("..", "docs", "configuration.md");
    private static final Path SHIPPED = Path.of("..", "deployer", "src", "main", "package", "conf");
    private static final String COMMAND = "./mvnw -pl server -am -Dquick -Dtest=ConfigurationPageTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.docs.write=true test";

    @Test
    void thePageHasTheTablesOfTheDefinitions() throws Exception {
        String page = Files.readString(PAGE);
        Properties shipped = new Properties();
        for (String file : List.of("canal.properties", "example/instance.properties")) {
            try (Reader reader = Files.newBufferedReader(SHIPPED.resolve(file))) {
                shipped.load(reader);
            }
        }

        String generated = new KeyTables(Keys.groups(), shipped).putInto(page);

        if (Boolean.getBoolean("sluice.docs.write")) {
            Files.writeString(PAGE, generated);
        } else {
            assertThat(page)
                    .as(
                            "docs/configuration.md is not what the definitions of keys give. To rewrite its tables:%n  %s",
                            COMMAND)
                    .isEqualTo(generated);
        }
    }

    /** A link of a description leads to a heading that is there. */
    @Test
    void linksOfDescriptionsLeadSomewhere() throws Exception {
        Pattern link = Pattern.compile("\\]\\(([^)#]*)(?:#([^)]*))?\\)");
        Set<String> broken = new TreeSet<>();
        for (KeyDescription key : KeyCatalog.keys()) {
            Matcher found = link.matcher(key.description() + key.standardText() + key.reason());
            while (found.find()) {
                Path target = found.group(1).isEmpty() ? PAGE : PAGE.resolveSibling(found.group(1));
                if (!Files.exists(target)
                        || (found.group(2) != null && !anchors(target).contains(found.group(2)))) {
                    broken.add(key.name() + ": " + found.group());
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new TreeSet<>();
        for (String line : Files.readAllLines(page)) {
            if (line.startsWith("#")) {
                anchors.add(line.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-'));
            }
        }
        return anchors;
    }

    @Test
    void aTableWithoutMarkersIsAnError() {
        KeyTables tables = new KeyTables(List.of(MetricsKeys.GROUP), new Properties());

        assertThatThrownBy(() -> tables.putInto("# A page\n"))
                .hasMessageContaining("no markers for [Metrics and health]");
        assertThatThrownBy(() -> tables.putInto("<!-- generated: Weather -->\n\n<!-- end of generated -->\n"))
                .hasMessageContaining("Weather");
    }
}
