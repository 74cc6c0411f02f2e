package io.sluice.deployer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.deployer.monitoring.AlertRules;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.health.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/runbook.md} has an entry for all that can call an operator, and quotes log lines that the code writes; {@code docs/log-messages.md} has
 * all other warnings and errors.
 */
class RunbookTest {
    private static final List<String> PARTS = List.of("Meaning", "Cause", "Remedy", "Log");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    private static final int SHORTEST_BEGINNING = 12;

    /** A call that logs a warning or an error, with its text. */
    private static final Pattern LOGGED =
            Pattern.compile("\\b(?i:log)\\.(?:warn|error)\\(\\s*\"((?:[^\"\\\\]|\\\\.)+)\"");

    private static Page runbook;
    private static Page messages;

    @BeforeAll
    static void readPages() throws IOException {
        runbook = Page.read(Page.ROOT.resolve("docs/runbook.md"));
        messages = Page.read(Page.ROOT.resolve("docs/log-messages.md"));
    }

    @Test
    void everyAlertHasAnEntry() throws IOException {
        List<String> alerts = AlertRules.read().stream()
                .map(rule -> rule.path("alert"))
                .map(JsonNode::asText)
                .toList();

        assertThat(alerts).isNotEmpty();
        assertThat(entriesBelow("## Alerts")).containsExactlyElementsOf(alerts);
    }

    @Test
    void everyFailureOfASourceHasAnEntry() {
        assertThat(entriesBelow("## Failures of a source"))
                .containsExactlyElementsOf(Arrays.stream(SourceFailure.values())
                        .map(failure -> "`" + failure.spelling() + "`")
                        .toList());
    }

    @Test
    void everyStageHasAnEntry() {
        assertThat(entriesBelow("## Stages"))
                .containsExactlyElementsOf(Arrays.stream(Stage.values())
                        .map(stage -> "Stage `" + stage.spelling() + "`")
                        .toList());
    }

    @Test
    void everyKindOfRejectionHasAnEntry() {
        assertThat(entriesBelow("## Messages that are not delivered"))
                .containsExactlyElementsOf(Arrays.stream(FailureKind.values())
                        .map(kind -> "`" + kind + "`")
                        .toList());
    }

    private static List<String> entriesBelow(String heading) {
        return runbook.section(heading).stream()
                .filter(line -> line.startsWith("### "))
                .map(line -> line.substring("### ".length()))
                .toList();
    }

    @Test
    void everyEntryHasAllParts() {
        List<String> entries =
                runbook.prose().stream().filter(line -> line.startsWith("### ")).toList();

        assertThat(entries).hasSizeGreaterThan(40);
        for (String entry : entries) {
            List<String> parts = runbook.section(entry).stream()
                    .filter(line -> line.startsWith("- **"))
                    .map(line -> line.substring("- **".length(), line.indexOf(":**")))
                    .toList();
            assertThat(parts).as(entry).isEqualTo(PARTS);
        }
    }

    /** What is quoted after "Log" can be searched for: it is in a text of the code or a script. */
    @Test
    void theLogLinesAreWrittenByTheCode() throws IOException {
        String code = productCode("testkit");
        List<String> unknown = new ArrayList<>();
        int quotes = 0;
        for (String quote : logQuotes()) {
            quotes++;
            for (String fixed : quote.replaceAll(" \\d+ .*| [\\w.]+=.*", "").split("…")) {
                if (!code.contains(fixed.strip())) {
                    unknown.add(quote);
                }
            }
        }

        assertThat(quotes).isGreaterThan(50);
        assertThat(unknown).isEmpty();
    }

    /** Whoever finds a warning or an error in the log of a server finds how its text begins here, too. */
    @Test
    void everyWarningAndErrorOfTheLogIsExplained() throws IOException {
        List<String> beginnings = Stream.of(runbook, messages)
                .flatMap(page -> page.inlineCode().stream())
                .filter(quote -> quote.length() >= SHORTEST_BEGINNING)
                .toList();
        Set<String> logged = loggedMessages();

        assertThat(logged).hasSizeGreaterThan(90);
        assertThat(logged)
                .filteredOn(message -> beginnings.stream().noneMatch(message::startsWith))
                .isEmpty();
    }

    /** And what the tables quote is still written. */
    @Test
    void theTablesOfMessagesQuoteOnlyWhatIsWritten() throws IOException {
        Set<String> logged = loggedMessages();
        List<String> quoted = new ArrayList<>();
        for (String line : messages.prose()) {
            if (line.matches("\\| [WE] \\|.*")) {
                Matcher quote = QUOTED.matcher(line.split(" \\| ")[1]);
                while (quote.find()) {
                    quoted.add(quote.group(1));
                }
            }
        }

        assertThat(quoted).hasSizeGreaterThan(70).doesNotHaveDuplicates();
        assertThat(quoted)
                .filteredOn(quote -> logged.stream().noneMatch(message -> message.startsWith(quote)))
                .isEmpty();
    }

    private static Set<String> loggedMessages() throws IOException {
        Set<String> messages = new TreeSet<>();
        Matcher logged = LOGGED.matcher(productCode("testkit", "bench", "client"));
        while (logged.find()) {
            messages.add(logged.group(1));
        }
        return messages;
    }

    /** Texts with a blank: others are names of files, keys and fields. */
    private static List<String> logQuotes() {
        List<String> quotes = new ArrayList<>();
        boolean isLog = false;
        for (String line : runbook.prose()) {
            isLog = line.startsWith("- **Log:**") || (isLog && line.startsWith("  "));
            Matcher quoted = QUOTED.matcher(isLog ? line : "");
            while (quoted.find()) {
                if (quoted.group(1).contains(" ") && !quoted.group(1).matches("\\w+=.*")) {
                    quotes.add(quoted.group(1));
                }
            }
        }
        return quotes;
    }

    /** The text of the product, with literals that are cut joined. */
    private static String productCode(String... modulesLeftOut) throws IOException {
        try (Stream<Path> files = Files.walk(Page.ROOT)) {
            List<Path> product = files.filter(
                            file -> file.toString().replace('\\', '/').matches(".*/src/main/.*\\.(java|sh)"))
                    .filter(file -> Arrays.stream(modulesLeftOut)
                            .noneMatch(module -> file.startsWith(Page.ROOT.resolve(module))))
                    .toList();
            StringBuilder code = new StringBuilder();
            for (Path file : product) {
                code.append(Files.readString(file));
            }
            return Pattern.compile("\"\\s*\\+\\s*\"").matcher(code).replaceAll("");
        }
    }

    /** Every alert's entry, and the page that lists what alerts mean, name the same alerts. */
    @Test
    void theMetricsPageListsTheSameAlerts() throws IOException {
        String table = String.join(
                "\n", Page.read(Page.ROOT.resolve("docs/metrics.md")).section("## Dashboard and alerts"));
        List<String> listed = Pattern.compile("(?m)^\\| `(Sluice\\w+)` \\|")
                .matcher(table)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toList());

        assertThat(entriesBelow("## Alerts")).isEqualTo(listed);
    }
}
