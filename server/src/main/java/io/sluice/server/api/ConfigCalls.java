package io.sluice.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.pattern.ExpensivePatternException;
import io.sluice.server.check.GivenRow;
import io.sluice.server.check.RouteCheck;
import io.sluice.server.check.RouteReport;
import io.sluice.server.config.CheckedTexts;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.GivenTexts;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.read.KeyCatalog;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.ValueType;
import io.sluice.server.control.Operations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The calls for programs that edit configurations. They change nothing, and no answer has a value of the texts that were sent but names
 * of topics and columns, nor anything of this server that is secret.
 */
final class ConfigCalls {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SERVER = "canal.properties";
    private static final String INSTANCE = "instance.properties";
    private static final String DESTINATION = "destination";
    private static final int MAX_TABLES = 1_000;
    private static final int MAX_ROWS = 20;

    /** Schema and table, and a dot. */
    private static final int MAX_NAME = 129;

    private final Operations operations;

    ConfigCalls(Operations operations) {
        this.operations = operations;
    }

    ApiAnswer keys() {
        return new ApiAnswer.Content("application/json", KeyCatalog.json());
    }

    ApiAnswer check(ApiRequest request) {
        request.requireOnly(Set.of(SERVER, INSTANCE, DESTINATION));
        CheckedTexts checked = operations.check(texts(request));
        ObjectNode answer = JSON.createObjectNode();
        answer.put("good", checked.problems().isEmpty());
        describe(answer, checked);
        return new ApiAnswer.Json(answer);
    }

    ApiAnswer route(ApiRequest request) {
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
            try {
                tables.forEach(name -> routes.add(route(check.of(schemaOf(name), tableOf(name), rows), hasTopics)));
            } catch (ExpensivePatternException e) {
                throw ApiException.badRequest(String.valueOf(e.getMessage()));
            }
        }
        return new ApiAnswer.Json(answer);
    }

    /** Clients pull from a server without a queue, and nothing has a topic there. */
    private static JsonNode route(RouteReport report, boolean hasTopics) {
        ObjectNode route = JSON.valueToTree(report.object());
        return hasTopics ? route : route.retain("schema", "table", "delivered", "filter");
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
        checked.configuration().warnings().forEach(answer.putArray("warnings")::add);
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
