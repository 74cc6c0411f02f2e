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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Chinese pages that are complete change with their originals, and all of them use the words of the glossary. */
class ChinesePagesTest {
    private static final Path CHINESE = Page.ROOT.resolve("docs/zh-CN");
    private static final List<String> PARTS = List.of("含义", "原因", "处理", "日志");

    /** What both languages share is compared: the levels of headings, code, numbers, links, and commands. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "runbook.md",
                "log-messages.md",
                "positions.md",
                "deployment.md",
                "high-availability.md",
                "kafka.md",
                "rocketmq.md",
                "security.md",
                "routing.md",
                "configuration.md",
                "formats.md",
                "operations.md",
                "start-stop.md",
                "check.md",
                "logs.md",
                "management-port.md",
                "admin-config.md",
                "alarms.md",
                "cursors.md",
                "clients.md",
                "failures.md",
                "memory.md",
                "admin.md",
                "upgrade.md",
                "metrics.md",
                "rabbitmq.md",
                "pulsar.md",
                "compatibility.md",
                "concepts.md",
                "migration.md",
                "quick-start.md",
                "stdout.md",
                "debezium.md"
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
            assertThat(section.numbers())
                    .as("numbers below %s", section.heading())
                    .containsAll(original.get(i).numbers());
            List<String> links = section.links();
            if (i == 0) {
                assertThat(links)
                        .as("links of the introduction")
                        .containsAll(original.get(i).links());
            } else {
                assertThat(links)
                        .as("links below %s", section.heading())
                        .containsExactlyInAnyOrderElementsOf(original.get(i).links());
            }
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
     * @param numbers in digits, outside of code; a translation may have more, where the original has them in words
     * @param links the pages that links lead to, in whatever language, with a {@code #} if to a heading
     */
    private record Section(
            String heading, Set<String> code, List<Set<String>> rows, Set<String> numbers, List<String> links) {
        private static final Pattern NO_PROSE =
                Pattern.compile("``.*?``|`[^`]+`|\\]\\([^)]*\\)|(?m)^\\s*\\d+\\. ", Pattern.DOTALL);
        /** But for millions, which Chinese counts in units of ten thousand. */
        private static final Pattern NUMBER = Pattern.compile("\\d++(?:[.,]\\d++)*+(?! million)");

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
                sections.add(
                        new Section(lines.get(start), code(page, below), rows, numbers(below), links(page, below)));
            }
            return sections;
        }

        private static Set<String> code(Page page, List<String> lines) {
            return new TreeSet<>(new Page(page.file(), lines, List.of()).inlineCode());
        }

        private static Set<String> numbers(List<String> lines) {
            String prose = NO_PROSE.matcher(String.join("\n", lines)).replaceAll(" ");
            return NUMBER.matcher(prose).results().map(MatchResult::group).collect(Collectors.toSet());
        }

        private static List<String> links(Page page, List<String> lines) {
            return new Page(page.file(), lines, List.of())
                    .links().stream().map(link -> target(page.file(), link)).toList();
        }

        /** The page or file; that of a Chinese page is the one of its original. */
        private static String target(Path page, String link) {
            String file = link.replaceFirst("#.*", "");
            if (link.matches("[a-z]+:.*")) {
                return link;
            }
            Path target = file.isEmpty() ? page : page.resolveSibling(file);
            Path original = target.normalize().startsWith(CHINESE.normalize())
                    ? CHINESE.getParent().resolve(CHINESE.normalize().relativize(target.normalize()))
                    : target;
            return original.normalize() + (link.contains("#") ? "#" : "");
        }
    }
}
