package io.sluice.admin.config;

import io.sluice.admin.problem.ConfigProblem;
import io.sluice.admin.problem.ConfigProblem.Severity;
import io.sluice.admin.problem.ProblemException;
import io.sluice.connector.api.route.Partitioning;
import io.sluice.protocol.pattern.ExpensivePatternException;
import io.sluice.protocol.pattern.MatchBudget;
import io.sluice.server.check.RouteCheck;
import io.sluice.server.check.RouteReport;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.load.TextsElsewhere;
import io.sluice.server.config.read.EffectiveConfiguration;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.ValueType;
import io.sluice.server.config.text.Warning;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Checks texts as a Sluice server would, by its own definitions, without asking a source or a broker. Thread-safe. */
@Component
class ConfigCheck {
    /** Where an instance is checked with no server's file: what is delivered does not depend on the broker. */
    private static final String NO_SERVER = "canal.serverMode = kafka\nkafka.bootstrap.servers = localhost:9092\n";

    private static final String DESTINATIONS = "canal.destinations";
    private static final String SOME_NAME = "instance";
    private static final String SERVER = "canal.properties";
    private static final String INSTANCE = "instance.properties";

    /** The key that a warning begins with. */
    private static final Pattern KEY = Pattern.compile("^([A-Za-z][\\w-]*(?:\\.[\\w$-]++)++)");

    private static final int CHECKS_AT_ONCE = 2;

    /** Much fewer than Tomcat has threads. */
    private static final int MAX_WAITING_CHECKS = 32;

    /** Of a decision, so that all of them together have some megabytes at most. */
    private static final int LOOKS_PER_CHARACTER = 10;

    private final CheckLimit limit = new CheckLimit(CHECKS_AT_ONCE, MAX_WAITING_CHECKS);

    /** Checks a server's or a cluster's file. */
    CheckResult checkServer(String content) {
        return boundedCheck(() -> checkServerFile(content));
    }

    private static CheckResult checkServerFile(String content) {
        Map<String, String> overrides = new HashMap<>();
        overrides.put("canal.auto.scan", "false");
        if (isBlank(content, DESTINATIONS)) {
            overrides.put(DESTINATIONS, SOME_NAME); // they are named by this admin server
        }
        TextsElsewhere texts = new TextsElsewhere(content, SOME_NAME, Optional.empty(), overrides);
        ReadConfiguration read = texts.read();
        List<Problem> errors = read.serverProblems().stream()
                .filter(problem -> !(problem.origin() instanceof Origin.BuiltIn))
                .toList();
        return result(texts, read, SERVER, SOME_NAME, errors, overrides.keySet());
    }

    /**
     * Checks an instance's file.
     *
     * @param name of the instance; null: not known yet
     * @param server the file of its server or cluster; null: there is none
     */
    CheckResult checkInstance(@Nullable String name, String content, @Nullable String server) {
        String destination = destination(name);
        return boundedCheck(() -> readInstance(
                destination,
                content,
                server,
                (texts, read) -> result(
                        texts,
                        read,
                        INSTANCE,
                        destination,
                        errors(read, destination),
                        Set.of(DESTINATIONS, "canal.auto.scan"))));
    }

    private CheckResult boundedCheck(Supplier<CheckResult> check) {
        try {
            return limit.run(() -> MatchBudget.within(check));
        } catch (ExpensivePatternException e) {
            return new CheckResult(List.of(new ConfigProblem(null, null, Severity.ERROR, e.getMessage())), List.of());
        }
    }

    /**
     * Determines the topics and partitions of tables.
     *
     * @param server the file of its server or cluster; null: there is none
     * @param tables {@code schema.table}
     * @throws ProblemException 422 if the text has errors, or expressions that take too long
     */
    List<RouteDecision> route(String content, @Nullable String server, List<String> tables) {
        try {
            return limit.run(() -> MatchBudget.within(() -> routes(content, server, tables)));
        } catch (ExpensivePatternException e) {
            throw ProblemException.unusable(e.getMessage(), List.of());
        }
    }

    private static List<RouteDecision> routes(String content, @Nullable String server, List<String> tables) {
        return readInstance(SOME_NAME, content, server, (texts, read) -> {
            Optional<InstanceConfig> instance = read.configuration().instances().stream()
                    .filter(one -> one.destination().equals(SOME_NAME))
                    .findFirst();
            if (instance.isEmpty()) {
                List<ConfigProblem> problems = problems(INSTANCE, errors(read, SOME_NAME));
                throw ProblemException.unusable("The configuration has errors. Correct them first.", problems);
            }
            RouteCheck check = new RouteCheck(read.configuration().server(), instance.get());
            boolean isQueue = read.configuration().server().mode().isQueue();
            boolean hasPartitions = read.configuration().server().mode().hasPartitions();
            return tables.stream()
                    .map(table ->
                            decision(check.of(schemaOf(table), tableOf(table), List.of()), isQueue, hasPartitions))
                    .toList();
        });
    }

    private static RouteDecision decision(RouteReport report, boolean isQueue, boolean hasPartitions) {
        boolean hasTopic = report.delivered() && isQueue;
        String reason = !report.delivered()
                ? report.filterReason()
                : hasTopic && report.topicProblem() != null
                        ? "the broker cannot have such a topic: " + report.topicProblem()
                        : null;
        if (hasTopic) {
            String topic = report.why().route().topic();
            MatchBudget.spend(LOOKS_PER_CHARACTER * (2.0 * topic.length()));
        }
        MatchBudget.spend(LOOKS_PER_CHARACTER * (double) report.filterReason().length());
        return new RouteDecision(
                report.name(),
                report.delivered(),
                hasTopic ? List.of(report.why().route().topic()) : List.of(),
                hasTopic && hasPartitions ? partition(report) : null,
                reason);
    }

    private static String partition(RouteReport report) {
        Partitioning partitioning = report.why().route().partitioning();
        if (partitioning instanceof Partitioning.One one) {
            return "partition " + one.partition();
        }
        if (partitioning instanceof Partitioning.ByTable byTable) {
            return "partition %d of %d, by the name of the table".formatted(byTable.partition(), byTable.count());
        }
        int count = ((Partitioning.ByKey) partitioning).count();
        String columns = report.keyColumns().equals(List.of("$pk$"))
                ? "the primary key"
                : String.join(", ", report.keyColumns());
        return count == 1 ? "partition 0, the only one" : "one of %d, by %s".formatted(count, columns);
    }

    /** Reads an instance's file. */
    private interface Reading<T> {
        T apply(TextsElsewhere texts, ReadConfiguration read);
    }

    private static <T> T readInstance(String destination, String content, @Nullable String server, Reading<T> reading) {
        Map<String, String> overrides = Map.of(DESTINATIONS, destination, "canal.auto.scan", "false");
        TextsElsewhere texts =
                new TextsElsewhere(server == null ? NO_SERVER : server, destination, Optional.of(content), overrides);
        return reading.apply(texts, texts.read());
    }

    private static List<Problem> errors(ReadConfiguration read, String destination) {
        return read.instanceProblems().getOrDefault(destination, List.of());
    }

    private static CheckResult result(
            TextsElsewhere texts,
            ReadConfiguration read,
            String document,
            String destination,
            List<Problem> errors,
            Set<String> overridden) {
        List<ConfigProblem> problems = new ArrayList<>(problems(document, errors));
        boolean hasErrors = !problems.isEmpty();
        for (Warning warning : new LinkedHashSet<>(read.configuration().warnings())) {
            warning(document, warning).ifPresent(problems::add);
        }
        problems.sort(Comparator.comparing(ConfigProblem::severity)
                .thenComparing(problem -> problem.line() == null ? Integer.valueOf(0) : problem.line()));
        return new CheckResult(
                problems, hasErrors ? List.of() : effective(texts, read, document, destination, overridden));
    }

    private static List<ConfigProblem> problems(String document, List<Problem> errors) {
        return errors.stream()
                .map(error -> new ConfigProblem(
                        error.key().isEmpty() ? null : error.key(),
                        error.origin().document().equals(document)
                                        && error.origin().lineNumber() > 0
                                ? Integer.valueOf(error.origin().lineNumber())
                                : null,
                        Severity.ERROR,
                        message(error, document)))
                .distinct()
                .toList();
    }

    private static String message(Problem error, String document) {
        String value = error.value().isEmpty() ? "" : " (it is " + error.shortValue() + ")";
        String other = error.origin().document();
        boolean isElsewhere = !other.isEmpty() && !other.equals(document);
        return error.complaint() + value + (isElsewhere ? ", at " + error.origin() : "");
    }

    /** A warning; empty if it is about another text. */
    private static Optional<ConfigProblem> warning(String document, Warning warning) {
        if (!(warning instanceof Warning.At at) || at.document().isEmpty()) {
            String text = warning.toString();
            return Optional.of(new ConfigProblem(keyOf(text), null, Severity.WARNING, text));
        }
        if (!at.document().equals(document)) {
            return Optional.empty();
        }
        int line = at.origin().lineNumber();
        return Optional.of(new ConfigProblem(
                keyOf(at.sentence()), line == 0 ? null : Integer.valueOf(line), Severity.WARNING, at.sentence()));
    }

    private static @Nullable String keyOf(String sentence) {
        Matcher key = KEY.matcher(sentence);
        return key.find() ? key.group(1) : null;
    }

    private static List<EffectiveValue> effective(
            TextsElsewhere texts, ReadConfiguration read, String document, String destination, Set<String> overridden) {
        EffectiveConfiguration effective;
        try {
            effective = texts.effective(read.configuration());
        } catch (ConfigException e) {
            return List.of(); // the server's file has errors, and this is a check of an instance's
        }
        Stream<EffectiveConfiguration.Value> values = document.equals(SERVER)
                ? effective.server().stream()
                : effective.instances().stream()
                        .filter(instance -> instance.destination().equals(destination))
                        .flatMap(instance -> instance.values().stream());
        return values.filter(value -> !overridden.contains(value.key()))
                .map(value -> new EffectiveValue(
                        value.key(),
                        value.text().isEmpty() ? value.written() : value.text(),
                        value.origin().replace(", line ", ":")))
                .toList();
    }

    private static String destination(@Nullable String name) {
        return name != null
                        && ValueType.isDestination(name)
                        && name.length() <= 100
                        && !name.equalsIgnoreCase("canal.properties")
                        && name.chars().allMatch(c -> c < 128)
                ? name
                : SOME_NAME;
    }

    private static boolean isBlank(String content, String key) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(content));
        } catch (IOException | IllegalArgumentException e) {
            return true; // is found by the check
        }
        return properties.getProperty(key, "").isBlank();
    }

    private static String schemaOf(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    private static String tableOf(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1);
    }
}
