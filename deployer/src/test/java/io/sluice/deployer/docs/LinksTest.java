package io.sluice.deployer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Links between pages lead to files and headings that are there. */
class LinksTest {
    @Test
    void everyLinkLeadsToAFileAndAHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Page page : Page.all()) {
            for (String link : page.links()) {
                if (!link.matches("[a-z]+:.*")) {
                    links++;
                    if (!isGood(page, link)) {
                        broken.add(page.name() + ": " + link);
                    }
                }
            }
        }

        assertThat(broken).isEmpty();
        assertThat(links).isGreaterThan(200);
    }

    private static boolean isGood(Page page, String link) throws IOException {
        int hash = link.indexOf('#');
        String target = hash < 0 ? link : link.substring(0, hash);
        Path file = target.isEmpty() ? page.file() : page.file().resolveSibling(target);
        return Files.exists(file) && (hash < 0 || Page.read(file).anchors().contains(link.substring(hash + 1)));
    }

    /** The pages are found from the two that readers begin with. */
    @Test
    void everyPageIsReachedFromTheReadme() throws IOException {
        Set<Path> reached = new HashSet<>();
        for (String start : List.of("README.md", "README.zh-CN.md")) {
            follow(Page.ROOT.resolve(start).normalize(), reached);
        }

        assertThat(Page.all())
                .extracting(page -> page.file().normalize())
                .filteredOn(
                        file -> !file.endsWith("index.md") && !file.toString().contains("adr"))
                .isSubsetOf(reached);
    }

    private static void follow(Path file, Set<Path> reached) throws IOException {
        if (!reached.add(file)) {
            return;
        }
        for (String link : Page.read(file).links()) {
            String target = link.replaceFirst("#.*", "");
            Path next = file.resolveSibling(target).normalize();
            if (!target.matches("[a-z]+:.*") && target.endsWith(".md") && Files.exists(next)) {
                follow(next, reached);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "What is checked               | what-is-checked",
                "`duplicate_server_id`         | duplicate_server_id",
                "Topics: `canal.mq.topic`      | topics-canalmqtopic",
                "Stage `broker`                | stage-broker",
                "1. Check beside canal         | 1-check-beside-canal",
                "[0003](adr/0003.md), a link   | 0003-a-link",
                "为什么？ 因为                  | 为什么-因为",
            })
    void anchorsAreThoseOfGitHub(String heading, String anchor) {
        assertThat(Page.anchor(heading)).isEqualTo(anchor);
    }
}
