package io.sluice.admin;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code openapi.json}: its operations, and whether answers are as it says. */
public final class Contract {
    private static final String ADDRESS = "https://sluice.example/openapi.json";
    private static final String TEXT = text();
    private static final JsonNode DOCUMENT = JsonMapper.shared().readTree(TEXT);
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(Map.of(ADDRESS, TEXT)));

    private Contract() {}

    /**
     * An operation.
     *
     * @param path with variables in braces
     * @param role as {@code x-role} has it
     */
    public record Operation(String method, String path, String role, JsonNode definition) {
        public String id() {
            return definition.path("operationId").asString();
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    public static List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        DOCUMENT.path("paths")
                .forEachEntry((path, methods) -> methods.forEachEntry((method, definition) -> all.add(new Operation(
                        method.toUpperCase(Locale.ROOT),
                        path,
                        definition.path("x-role").asString(),
                        definition))));
        return all;
    }

    /** Fails if an answer of the API has a status, a type or a body that the contract does not have. */
    static void check(String method, String path, HttpResponse<String> answer) {
        String plain = path.replaceFirst("\\?.*", "");
        Optional<Operation> operation = find(method, plain);
        if (operation.isEmpty()) {
            return;
        }
        String call = method + " " + path + " -> " + answer.statusCode();
        String type = answer.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
        if (answer.statusCode() >= 400) {
            if (answer.statusCode() < 500
                    && answer.statusCode() != 413
                    && answer.statusCode() != 415
                    && operation
                            .get()
                            .definition()
                            .path("responses")
                            .path("" + answer.statusCode())
                            .isMissingNode()) {
                throw new AssertionError(call + " is not in the contract: " + answer.body());
            }
            if (!type.equals("application/problem+json")) {
                throw new AssertionError(call + " is a " + type + ": " + answer.body());
            }
            validate(call, "/components/schemas/Problem", answer.body());
            return;
        }
        JsonNode response = operation.get().definition().path("responses").path("" + answer.statusCode());
        if (response.isMissingNode()) {
            throw new AssertionError(call + " is not in the contract: " + answer.body());
        }
        if (response.path("content").isMissingNode()) {
            if (!answer.body().isEmpty()) {
                throw new AssertionError(call + " has a body: " + answer.body());
            }
            return;
        }
        if (response.path("content").path(type).isMissingNode()) {
            throw new AssertionError(call + " has the type " + type + ", which is not in the contract");
        }
        if (type.equals("application/json")) {
            String pointer =
                    "/paths/" + operation.get().path().replace("~", "~0").replace("/", "~1") + "/"
                            + method.toLowerCase(Locale.ROOT) + "/responses/" + answer.statusCode()
                            + "/content/application~1json/schema";
            validate(call, pointer, answer.body());
        }
    }

    private static Optional<Operation> find(String method, String path) {
        PathContainer container = PathContainer.parsePath(path);
        Map<PathPattern, Operation> matching = new TreeMap<>();
        for (Operation operation : operations()) {
            PathPattern pattern = PathPatternParser.defaultInstance.parse(operation.path());
            if (operation.method().equals(method) && pattern.matches(container)) {
                matching.put(pattern, operation);
            }
        }
        return matching.values().stream().findFirst();
    }

    private static void validate(String call, String pointer, String body) {
        Schema schema = SCHEMAS.getSchema(
                SchemaLocation.of(ADDRESS + "#" + pointer.replace("{", "%7B").replace("}", "%7D")));
        List<Error> errors = schema.validate(
                body,
                InputFormat.JSON,
                context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
        if (!errors.isEmpty()) {
            throw new AssertionError(call + " is not as the contract says: " + errors + "\n" + body);
        }
    }

    private static String text() {
        try (InputStream in = Contract.class.getResourceAsStream("/io/sluice/admin/openapi.json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
