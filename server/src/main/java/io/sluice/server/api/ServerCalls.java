package io.sluice.server.api;

import static io.sluice.server.config.port.ControlRole.OPERATOR;
import static io.sluice.server.config.port.ControlRole.VIEWER;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.server.control.AlarmTest;
import io.sluice.server.control.Operations;
import io.sluice.server.version.BuildVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** The calls for the server as a whole: what it is, a reload of all its configuration, a test of its alarms. */
final class ServerCalls {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Operations operations;

    ServerCalls(Operations operations) {
        this.operations = operations;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/openapi.json", VIEWER, request -> description()),
                Route.get("/server", VIEWER, request -> server()),
                Route.post(
                        "/alarm/test",
                        OPERATOR,
                        AuditedCalls.ALARM_TEST,
                        Set.of(),
                        request -> alarmTest(operations.testAlarm())),
                Route.post(
                        "/reload",
                        OPERATOR,
                        AuditedCalls.RELOAD,
                        Set.of(),
                        request -> new ApiAnswer.Json(ReloadJson.of(operations.reload()))));
    }

    private static ApiAnswer description() {
        try (InputStream file = ServerCalls.class.getResourceAsStream("openapi.json")) {
            if (file == null) {
                throw new IllegalStateException("the description of the API is not in this package");
            }
            return new ApiAnswer.Content("application/json", new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ApiAnswer server() {
        ObjectNode json = JSON.createObjectNode();
        BuildVersion build = BuildVersion.ofThisBuild();
        json.put("version", build.version()).put("commit", build.commitText());
        json.put("mode", operations.configuration().server().mode().spelling());
        json.put("cluster", operations.configuration().server().cluster().isPresent());
        json.put("java", Runtime.version().toString());
        ArrayNode names = json.putArray("destinations");
        operations.destinations().forEach(names::add);
        json.put("configurationProblem", operations.configurationProblem());
        json.put("clusterProblem", operations.clusterProblem());
        ArrayNode keys = json.putArray("restartKeys");
        operations.restartKeys().forEach(keys::add);
        return new ApiAnswer.Json(json);
    }

    private static ApiAnswer alarmTest(List<AlarmTest> results) {
        ObjectNode json =
                JSON.createObjectNode().put("delivered", results.stream().allMatch(AlarmTest::delivered));
        ArrayNode webhooks = json.putArray("webhooks");
        for (AlarmTest result : results) {
            webhooks.addObject()
                    .put("webhook", result.webhook())
                    .put("format", result.format())
                    .put("delivered", result.delivered())
                    .put("detail", result.detail());
        }
        return new ApiAnswer.Json(json);
    }
}
