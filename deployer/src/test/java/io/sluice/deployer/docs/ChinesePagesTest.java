package io.sluice.deployer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Chinese pages that are complete change with their originals, and all of them use the words of the glossary. */
class ChinesePagesTest {
    private static final Path CHINESE = Page.ROOT.resolve("docs/zh-CN");
    private static final List<String> PARTS = List.of("含义", "原因", "处理", "日志");

    /** What both languages share is compared: the levels of headings, code, and commands. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "runbook.md",
                "positions.md",
                "deployment.md",
                "high-availability.md",
                "kafka.md",
                "rocketmq.md",
                "security.md"
            })
    void aCompletePageHasTheSectionsTablesAndCodeOfItsOriginal(String name) throws IOException {
        List<Section> original = Section.of(Page.read(Page.ROOT.resolve("docs").resolve(name)));
        List<Section> chinese = Section.of(Page.read(CHINESE.resolve(name)));

        assertThat(chinese).extracting(Section::level).isEqualTo(levels(original));
        for (int i = 0; i < original.size(); i++) {
            Section section = chinese.get(i);
            assertThat(section.code())
                    .as(section.heading())
                    .isEqualTo(original.get(i).code());
            assertThat(section.rows())
                    .as("rows below %s", section.heading())
                    .isEqualTo(original.get(i).rows());
        }
        assertThat(commands(CHINESE.resolve(name)))
                .isEqualTo(commands(Page.ROOT.resolve("docs").resolve(name)));
    }

    private static List<Integer> levels(List<Section> sections) {
        return sections.stream().map(Section::level).toList();
    }

    /** The lines of code blocks; comments are in the language of the page. */
    private static List<String> commands(Path page) throws IOException {
        return Page.read(page).blocks().stream()
                .filter(block -> !block.language().equals("mermaid"))
                .flatMap(block -> block.lines().stream())
                .map(line -> line.replaceAll("(^|\\s+)# .*", "").stripTrailing())
                .toList();
    }

    @Test
    void theRunbookHasTheEntriesOfTheOriginalAndEachHasAllParts() throws IOException {
        Page runbook = Page.read(CHINESE.resolve("runbook.md"));
        List<String> entries =
                runbook.prose().stream().filter(line -> line.startsWith("### ")).toList();

        assertThat(entries)
                .filteredOn(entry -> entry.matches("### (Sluice\\w+|`\\w+`)"))
                .isEqualTo(Page.read(Page.ROOT.resolve("docs/runbook.md")).prose().stream()
                        .filter(line -> line.matches("### (Sluice\\w+|`\\w+`)"))
                        .toList())
                .hasSizeGreaterThan(30);
        for (String entry : entries) {
            assertThat(runbook.section(entry).stream()
                            .filter(line -> line.startsWith("- **"))
                            .map(line -> line.substring("- **".length(), line.indexOf("：**")))
                            .toList())
                    .as(entry)
                    .isEqualTo(PARTS);
        }
    }

    /** Also the pages of the admin server and the menus of the site. */
    @Test
    void wordsThatTheGlossaryExcludesAreNotUsed() throws IOException {
        List<String> terms = new ArrayList<>();
        List<String> excluded = new ArrayList<>();
        for (String row : Page.read(Page.ROOT.resolve("docs/glossary.md")).section("## Chinese terms")) {
            String[] cells = row.split("\\|");
            if (cells.length > 3 && !cells[1].contains("---")) {
                terms.addAll(words(cells[2]));
                excluded.addAll(words(cells[3]));
            }
        }
        excluded.remove("not used");
        terms.sort(Comparator.comparing(String::length).reversed());

        List<String> found = new ArrayList<>();
        for (Path file : chineseTexts()) {
            String text = Files.readString(file);
            for (String term : terms) {
                text = text.replace(term, "·");
            }
            for (String word : excluded) {
                if (text.contains(word)) {
                    found.add(file + ": " + word);
                }
            }
        }

        assertThat(excluded).hasSizeGreaterThan(8);
        assertThat(found).isEmpty();
    }

    private static List<String> words(String cell) {
        return Arrays.stream(cell.strip().split("、"))
                .filter(word -> !word.isBlank())
                .toList();
    }

    private static List<Path> chineseTexts() throws IOException {
        List<Path> texts = new ArrayList<>();
        try (Stream<Path> pages = Files.list(CHINESE)) {
            pages.sorted().forEach(texts::add);
        }
        for (String file : List.of(
                "README.zh-CN.md",
                "docs/site/pages/zh-CN/index.md",
                "docs/site/.vitepress/config.mjs",
                "docs/site/.vitepress/navigation.mjs",
                "docs/site/.vitepress/theme/Overview.vue",
                "admin/web/src/i18n/zh.ts",
                "admin/web/src/i18n/keyHelp.zh.ts")) {
            texts.add(Page.ROOT.resolve(file));
        }
        return texts;
    }

    /**
     * A heading and what is below it, until the next heading.
     *
     * @param heading its line
     * @param code all that is between single backticks
     * @param rows of each row of a table, what is between single backticks
     */
    private record Section(String heading, Set<String> code, List<Set<String>> rows) {
        int level() {
            return heading.indexOf(' ');
        }

        static List<Section> of(Page page) {
            List<Section> sections = new ArrayList<>();
            List<String> lines = page.prose();
            for (int start = 0, end; start < lines.size(); start = end) {
                end = start + 1;
                while (end < lines.size() && !lines.get(end).matches("#{1,6} .*")) {
                    end++;
                }
                List<String> below = lines.subList(start, end);
                List<Set<String>> rows = below.stream()
                        .filter(line -> line.startsWith("|"))
                        .map(row -> code(page, List.of(row)))
                        .toList();
                sections.add(new Section(lines.get(start), code(page, below), rows));
            }
            return sections;
        }

        private static Set<String> code(Page page, List<String> lines) {
            return new TreeSet<>(new Page(page.file(), lines, List.of()).inlineCode());
        }
    }
}
