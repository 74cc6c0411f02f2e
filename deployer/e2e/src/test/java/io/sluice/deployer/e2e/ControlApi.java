package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Calls the control API of a server on this machine. To wait for a state costs less by it than by {@code sluice.sh}, which is a
 * process for each question.
 */
record ControlApi(int port, String token) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** That of a server whose token was saved by {@code token add --save}. */
    static ControlApi of(PackagedServer server, int port) throws IOException {
        return new ControlApi(
                port,
                Files.readString(server.home().resolve("conf/control-token")).strip());
    }

    /** The answer to a request without a body. */
    JsonNode get(String path) throws IOException, InterruptedException {
        return answer(request(path).GET().build());
    }

    /** The answer to a request with a body. */
    JsonNode post(String path, JsonNode body) throws IOException, InterruptedException {
        return answer(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build());
    }

    /** The state of an instance; a missing node if there is none of that name. */
    JsonNode instance(String destination) throws IOException, InterruptedException {
        for (JsonNode instance : get("/instances")) {
            if (instance.path("destination").asText().equals(destination)) {
                return instance;
            }
        }
        return JSON.missingNode();
    }

    /** Waits until the state of an instance, which may be missing, is as wanted. */
    void awaitInstance(String destination, Duration patience, Predicate<JsonNode> condition) {
        await().alias("the state of " + destination)
                .atMost(patience)
                .ignoreException(ConnectException.class)
                .until(() -> condition.test(instance(destination)));
    }

    /** Waits until the state of the server itself is as wanted. */
    void awaitServer(Duration patience, Predicate<JsonNode> condition) {
        await().alias("the state of the server")
                .atMost(patience)
                .ignoreException(ConnectException.class)
                .until(() -> condition.test(get("/server")));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1" + path))
                .header("Authorization", "Bearer " + token);
    }

    private static JsonNode answer(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }
}
