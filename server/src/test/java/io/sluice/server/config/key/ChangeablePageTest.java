package io.sluice.server.config.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.text.Key;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/control.md} lists the server's own keys by what makes a new value effective, as they are defined. */
class ChangeablePageTest {
    private static final Path PAGE = Path.of("..", "docs", "control.md");
    private static final Pattern LIST = Pattern.compile(
            "(<!-- generated: keys of the server -->\n).*?(\n<!-- end of generated -->)", Pattern.DOTALL);
    private static final String COMMAND = "./mvnw -pl server -am -Dquick -Dtest=ChangeablePageTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.docs.write=true test";

    @Test
    void thePageListsTheKeysAsTheyAreDefined() throws Exception {
        String page = Files.readString(PAGE);

        Matcher found = LIST.matcher(page);
        assertThat(found.find()).isTrue();
        String generated = page.substring(0, found.end(1)) + list() + page.substring(found.start(2));

        if (Boolean.getBoolean("sluice.docs.write")) {
            Files.writeString(PAGE, generated);
        } else {
            assertThat(page)
                    .as("docs/control.md is not what the definitions of keys give. To rewrite the list:%n  %s", COMMAND)
                    .isEqualTo(generated);
        }
    }

    private static String list() {
        return """
                | a new value takes effect | keys |
                |---|---|
                | with a reload | %s |
                | when the server is restarted; until then no change of an instance is taken over, either | %s |
                | when the server is restarted | all keys of brokers, such as `kafka.…`, and: |
                %s""".formatted(
                        names(KeyCatalog.keys(), key -> key.change() == Key.Change.RELOAD),
                        names(KeyCatalog.keys(), KeyDescription::blocking),
                        restarted());
    }

    /** A row for each group, since there are many. */
    private static String restarted() {
        Map<String, List<KeyDescription>> groups = KeyCatalog.keys().stream()
                .collect(Collectors.groupingBy(KeyDescription::group, LinkedHashMap::new, Collectors.toList()));
        StringBuilder rows = new StringBuilder();
        groups.forEach((heading, keys) -> {
            String names = names(keys, key -> key.change() == Key.Change.RESTART && !key.blocking());
            if (!names.isEmpty()) {
                rows.append("| – ").append(heading).append(" | ").append(names).append(" |\n");
            }
        });
        return rows.toString();
    }

    private static String names(List<KeyDescription> keys, Predicate<KeyDescription> wanted) {
        return keys.stream()
                .filter(key -> key.scope() == Key.Scope.SERVER && key.support() == Key.Support.NOW)
                .filter(wanted)
                .map(key -> "`" + key.name() + "`")
                .collect(Collectors.joining(", "));
    }
}
