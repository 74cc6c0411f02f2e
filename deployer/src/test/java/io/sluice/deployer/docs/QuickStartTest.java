package io.sluice.deployer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A first start begins at the newest position, so what is changed before that is found is not delivered. */
class QuickStartTest {
    private static final String LINE = "find start position successfully";

    @ParameterizedTest
    @ValueSource(strings = {"docs/quick-start.md", "docs/zh-CN/quick-start.md"})
    void theStartPositionIsAwaitedBeforeTheFirstChange(String page) throws IOException {
        String text = Files.readString(Page.ROOT.resolve(page));
        int start = text.indexOf("bin/startup.sh\n");
        int change = text.indexOf("INSERT INTO shop.orders VALUES (7");

        assertThat(start).isPositive();
        assertThat(text.substring(start, change)).contains("until grep -s \"" + LINE + "\" logs/shop/shop.log");
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "README.zh-CN.md"})
    void theReadmeNamesTheLine(String page) throws IOException {
        assertThat(Files.readString(Page.ROOT.resolve(page))).contains("`" + LINE + "`");
    }

    @Test
    void theLineIsLogged() throws IOException {
        Path finder = Page.ROOT.resolve("stream/src/main/java/io/sluice/stream/source/search/StartFinder.java");
        assertThat(Files.readString(finder)).contains("LOG.info(\"" + LINE);
    }
}
