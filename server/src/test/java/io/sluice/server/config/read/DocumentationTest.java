package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.text.Key;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentationTest {
    @Test
    void everyKeyThatWorksIsDescribedAndEveryRejectedOneNamed() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "configuration.md"))
                // A second key of one sentence is written by its end only.
                .replace("`.black.field`", "`canal.instance.filter.black.field`");

        List<String> missing = Keys.all().stream()
                .filter(key -> key.support() == Key.Support.NOW || key.support() == Key.Support.REFUSED)
                .map(Key::name)
                .filter(name -> !ProducerKeys.allAliases().contains(name))
                .filter(name -> !page.contains("`" + name + "`"))
                .toList();

        assertThat(missing).isEmpty();
    }
}
