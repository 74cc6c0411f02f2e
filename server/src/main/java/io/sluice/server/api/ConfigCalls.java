package io.sluice.server.api;

import static io.sluice.server.config.port.ControlRole.ADMINISTRATOR;
import static io.sluice.server.config.port.ControlRole.OPERATOR;
import static io.sluice.server.config.port.ControlRole.VIEWER;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.protocol.pattern.ExpensivePatternException;
import io.sluice.protocol.pattern.MatchBudget;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.server.check.GivenRow;
import io.sluice.server.check.RouteCheck;
import io.sluice.server.check.RouteReport;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.key.KeyCatalog;
import io.sluice.server.config.sent.CheckedTexts;
import io.sluice.server.config.sent.GivenTexts;
import io.sluice.server.config.sent.TrialTexts;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.ValueType;
import io.sluice.server.config.text.Warning;
import io.sluice.server.control.Operations;
import io.sluice.server.probe.ConnectReport;
import io.sluice.server.probe.SourceListing;
import io.sluice.server.probe.TargetReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The calls for programs that edit configurations. They change nothing, and no answer has a value of the texts that were sent but names
 * of topics and columns, addresses and users, nor anything of this server that is secret.
 */
final class ConfigCalls {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SERVER = "canal.properties";
    private static final String INSTANCE = "instance.properties";
    private static final String DESTINATION = "destination";

    /** What the bodies of most calls may have. */
    private static final Set<String> TEXTS = Set.of(SERVER, INSTANCE, DESTINATION);

    private static final int MAX_TABLES = 1_000;
    private static final int MAX_ROWS = 20;

    /** Of one server, in an answer. */
    private static final int MAX_FINDINGS = 200;

    /** Of a sentence, in an answer. */
    private static final int MAX_SENTENCE = 2_000;

    /** Of an answer, which quotes the rules and topics of each table: so that it has some megabytes at most. */
    private static final int LOOKS_PER_CHARACTER = 10;

    /** Schema and table, and a dot. */
    private static final int MAX_NAME = 129;

    /** A page that checks what is typed calls again before the last answer; several such pages still wait for their turn only. */
    private static final int MAX_WAITING_CHECKS = 16;

    private static final int CHECKS_AT_ONCE = 2;

    private final Operations operations;
    private final CallLimit checks =
            new CallLimit(CHECKS_AT_ONCE, MAX_WAITING_CHECKS, "too many configurations are being checked");

    ConfigCalls(Operations operations) {
        this.operations = operations;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/config/keys", VIEWER, request -> keys()),
                // Without an action: what is sent may hold passwords, and belongs in no audit log.
                Route.post("/config/check", OPERATOR, "", Set.of(), this::check),
                Route.post("/config/route", VIEWER, "", Set.of(), this::route),
                // An operator runs what is configured; these have the server connect to whatever a caller names.
                Route.post("/config/connect", ADMINISTRATOR, "try a configuration", TEXTS, this::connect),
                Route.post("/config/tables", ADMINISTRATOR, "list the tables of a configuration", TEXTS, this::tables));
    }

    private static ApiAnswer keys() {
        return new ApiAnswer.Content("application/json", KeyCatalog.json());
    }

    private ApiAnswer check(ApiRequest request) {
        return checks.run(() -> bounded(() -> checked(request)));
    }

    private ApiAnswer checked(ApiRequest request) {
        request.requireOnly(TEXTS);
        CheckedTexts checked = operations.check(texts(request));
        ObjectNode answer = JSON.createObjectNode();
        answer.put("good", checked.problems().isEmpty());
        describe(answer, checked);
        return new ApiAnswer.Json(answer);
    }

    private ApiAnswer route(ApiRequest request) {
        return checks.run(() -> bounded(() -> routed(request)));
    }

    private ApiAnswer routed(ApiRequest request) {
        request.requireOnly(Set.of(SERVER, INSTANCE, DESTINATION, "tables", "rows"));
        List<String> tables = names(request, "tables", MAX_TABLES);
        List<GivenRow> rows = rows(request);
        GivenTexts given = texts(request);
        if (given.instance().isEmpty() || tables.isEmpty()) {
            throw ApiException.badRequest(INSTANCE + " and tables, names like shop.orders, must be given");
        }
        CheckedTexts checked = operations.check(given);
        ObjectNode answer = JSON.createObjectNode();
        describe(answer, checked);
        ArrayNode routes = answer.putArray("tables");
        Configuration configuration = checked.configuration();
        for (InstanceConfig instance : configuration.instances()) {
            RouteCheck check = new RouteCheck(configuration.server(), instance);
            boolean hasTopics = configuration.server().mode().isQueue();
            tables.forEach(name -> routes.add(route(check.of(schemaOf(name), tableOf(name), rows), hasTopics)));
        }
        return new ApiAnswer.Json(answer);
    }

    /** Clients pull from a server without a queue, and nothing has a topic there. */
    private static JsonNode route(RouteReport report, boolean hasTopics) {
        ObjectNode route = JSON.valueToTree(report.object());
        MatchBudget.spend(LOOKS_PER_CHARACTER * (double) route.toString().length());
        return hasTopics ? route : route.retain("schema", "table", "delivered", "filter");
    }

    /** Tries source, broker and ZooKeeper of an instance. */
    private ApiAnswer connect(ApiRequest request) {
        return bounded(() -> tried(request));
    }

    private ApiAnswer tried(ApiRequest request) {
        GivenTexts given = instanceOf(request);
        TrialTexts texts = operations.forTrial(given);
        ObjectNode answer = JSON.createObjectNode();
        ArrayNode targets = JSON.createArrayNode();
        long failures = 0;
        if (isUsable(texts)) {
            ConnectReport report = operations.connect(texts);
            failures = report.count(Verdict.FAILED);
            report.server().forEach(target -> describe(targets.addObject(), target));
            report.instances()
                    .forEach(instance -> instance.targets().forEach(target -> describe(targets.addObject(), target)));
        }
        answer.put("good", failures == 0 && isUsable(texts));
        describe(answer, texts.checked());
        answer.set("targets", targets);
        return new ApiAnswer.Json(answer, record(given, texts, targets));
    }

    /** Lists the tables of an instance's source, those that pass its filter first, and where they go. */
    private ApiAnswer tables(ApiRequest request) {
        return bounded(() -> listed(request));
    }

    private ApiAnswer listed(ApiRequest request) {
        GivenTexts given = instanceOf(request);
        TrialTexts texts = operations.forTrial(given);
        ObjectNode answer = JSON.createObjectNode();
        describe(answer, texts.checked());
        ArrayNode tables = answer.putArray("tables");
        if (!isUsable(texts)) {
            return new ApiAnswer.Json(answer, record(given, texts, tables));
        }
        SourceListing listing = operations.sourceTables(texts);
        Configuration configuration = texts.checked().configuration();
        InstanceConfig instance = configuration.instances().get(0);
        RouteCheck check = new RouteCheck(configuration.server(), instance);
        TableFilter filter = instance.filter().tables();
        boolean hasTopics = configuration.server().mode().isQueue();
        Map<Boolean, List<TableName>> parts = listing.tables().stream()
                .collect(Collectors.partitioningBy(table -> filter.passes(table.schema(), table.table())));
        List<TableName> passing = parts.getOrDefault(true, List.of());
        List<TableName> others = parts.getOrDefault(false, List.of());
        Stream.concat(passing.stream(), others.stream())
                .limit(MAX_TABLES)
                .forEach(table -> tables.add(route(check.of(table.schema(), table.table(), List.of()), hasTopics)));
        answer.put("source", listing.source());
        answer.put("visible", listing.tables().size()).put("delivered", passing.size());
        answer.put("truncated", !listing.isComplete() || listing.tables().size() > MAX_TABLES);
        if (listing.failure().isPresent()) {
            describe(answer.putObject("failure"), listing.failure().get());
            answer.put("truncated", false);
        }
        return new ApiAnswer.Json(
                answer,
                "instance=%s source=%s tables=%d delivered=%d"
                        .formatted(
                                given.destination(),
                                listing.source(),
                                listing.tables().size(),
                                passing.size()));
    }

    /** The texts are of unknown origin, and so are their expressions. */
    private static ApiAnswer bounded(Supplier<ApiAnswer> call) {
        try {
            return MatchBudget.within(call);
        } catch (ExpensivePatternException e) {
            throw ApiException.badRequest(e.getMessage());
        }
    }

    private static GivenTexts instanceOf(ApiRequest request) {
        GivenTexts given = texts(request);
        if (given.instance().isEmpty()) {
            throw ApiException.badRequest(INSTANCE + " must be given: it determines what is tried");
        }
        return given;
    }

    private static boolean isUsable(TrialTexts texts) {
        return texts.checked().problems().isEmpty()
                && !texts.checked().configuration().instances().isEmpty();
    }

    /** What was tried, and what came of it. */
    private static String record(GivenTexts given, TrialTexts texts, ArrayNode targets) {
        List<String> parts = new ArrayList<>();
        targets.forEach(target -> parts.add("%s: %s"
                .formatted(
                        target.path("target").asText(),
                        target.path("findings").findValuesAsText("verdict").stream()
                                .collect(Collectors.groupingBy(
                                        verdict -> verdict, TreeMap::new, Collectors.counting())))));
        String result = isUsable(texts)
                ? String.join("; ", parts)
                : texts.checked().problems().size() + " problems, nothing was tried";
        return "instance=%s %s".formatted(given.destination(), result);
    }

    private static void describe(ObjectNode node, TargetReport target) {
        node.put("target", target.target());
        ArrayNode findings = node.putArray("findings");
        target.findings().stream().limit(MAX_FINDINGS).forEach(finding -> describe(findings.addObject(), finding));
        int more = target.findings().size() - MAX_FINDINGS;
        if (more > 0) {
            describe(
                    findings.addObject(),
                    new Finding(
                            "more",
                            Verdict.UNKNOWN,
                            more + " more findings are left out of this answer",
                            "sluice.sh check --connect shows all"));
        }
    }

    private static void describe(ObjectNode node, Finding finding) {
        node.put("subject", cut(finding.subject()))
                .put("verdict", finding.verdict().spelling())
                .put("evidence", cut(finding.evidence()))
                .put("remedy", cut(finding.remedy()));
    }

    /** The length of what a source or a broker answers is not limited here. */
    private static String cut(String text) {
        return text.length() <= MAX_SENTENCE ? text : text.substring(0, MAX_SENTENCE) + "...";
    }

    private static GivenTexts texts(ApiRequest request) {
        Optional<String> server = request.text(SERVER);
        Optional<String> instance = request.text(INSTANCE);
        String destination = request.text(DESTINATION).orElse("example");
        if (server.isEmpty() && instance.isEmpty()) {
            throw ApiException.badRequest("%s, %s or both must be given, each as one text".formatted(SERVER, INSTANCE));
        }
        if (!ValueType.isDestination(destination)) {
            throw ApiException.badRequest("destination must be the name of an instance");
        }
        return new GivenTexts(server, destination, instance);
    }

    private static void describe(ObjectNode answer, CheckedTexts checked) {
        ArrayNode problems = answer.putArray("problems");
        checked.problems().forEach(problem -> describe(problems.addObject(), problem));
        ArrayNode unread = answer.putArray("unchecked");
        checked.unread().forEach(problem -> describe(unread.addObject(), problem));
        Warning.texts(checked.configuration().warnings()).forEach(answer.putArray("warnings")::add);
    }

    private static void describe(ObjectNode node, Problem problem) {
        node.put("text", problem.origin().document());
        if (problem.origin().lineNumber() > 0) {
            node.put("line", problem.origin().lineNumber());
        }
        node.put("key", problem.key()).put("problem", problem.complaint());
    }

    private static List<GivenRow> rows(ApiRequest request) {
        try {
            return names(request, "rows", MAX_ROWS).stream()
                    .map(GivenRow::parse)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static List<String> names(ApiRequest request, String member, int limit) {
        JsonNode given = request.body().path(member);
        if (given.isMissingNode() || given.isNull()) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        if (given.isArray() && given.size() <= limit) {
            given.forEach(name -> names.add(name.isTextual() ? name.textValue() : ""));
        }
        boolean isLong = member.equals("tables") && names.stream().anyMatch(name -> name.length() > MAX_NAME);
        if (!given.isArray() || names.size() != given.size() || names.contains("") || isLong) {
            throw ApiException.badRequest(
                    "%s must be an array of at most %d texts, of at most %d characters if they are names"
                            .formatted(member, limit, MAX_NAME));
        }
        return names;
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
