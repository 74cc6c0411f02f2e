package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.port.ControlConfig;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.server.port.RejectionLog;
import io.sluice.server.pull.TestEntry;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.time.HandTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ApiPortTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final RecordingOperations operations = new RecordingOperations();
    private final HandTime time = new HandTime();
    private final Map<ControlRole, String> tokens = new EnumMap<>(ControlRole.class);
    private Path home;
    private Path file;
    private ApiPort port;

    @BeforeEach
    void open() throws IOException {
        home = Folders.temporary("sluice-api-");
        file = home.resolve("control-access");
        for (ControlRole role : ControlRole.values()) {
            tokens.put(role, TokenFile.add(file, "a." + role.spelling(), role));
        }
        port = ApiPort.open(
                        new ControlConfig("127.0.0.1", 0, file, Map.of(), Optional.empty()),
                        operations,
                        new LogFiles(home.resolve("logs")),
                        timer,
                        time)
                .orElseThrow();
    }

    @AfterEach
    void close() {
        port.close();
        timer.shutdownNow();
        Folders.delete(home);
    }

    static Stream<Route> routes() {
        ExecutorService none = Executors.newSingleThreadExecutor();
        none.shutdown();
        ScheduledExecutorService noTimer = Executors.newSingleThreadScheduledExecutor();
        noTimer.shutdown();
        return new ControlRoutes(
                        new RecordingOperations(),
                        new EventStreams(noTimer, none, none, Time.SYSTEM),
                        new LogFiles(Path.of("none")),
                        new AuditLog(Time.SYSTEM),
                        Time.SYSTEM)
                .all().stream();
    }

    @ParameterizedTest
    @MethodSource("routes")
    void eachCallIsRefusedWithoutATokenWithAWrongOneAndWithTooSmallARole(Route route) throws Exception {
        assertThat(call(route, null).statusCode()).isEqualTo(401);
        assertThat(call(route, "sluice_wrong").statusCode()).isEqualTo(401);
        assertThat(call(route, "").statusCode()).isEqualTo(401);
        for (ControlRole role : ControlRole.values()) {
            if (!role.mayDoWhatNeeds(route.role())) {
                HttpResponse<String> refused = call(route, tokens.get(role));
                assertThat(refused.statusCode()).isEqualTo(403);
                assertThat(refused.body())
                        .contains(
                                "a." + role.spelling(), "needs " + route.role().spelling());
            }
        }
        assertThat(operations.calls()).isEmpty();
    }

    @Test
    void isDescribedByItsOpenApiFile() throws Exception {
        JsonNode description = JSON.readTree(get("/api/v1/openapi.json").body());
        Set<String> described = new TreeSet<>();
        for (Map.Entry<String, JsonNode> path : description.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> call : path.getValue().properties()) {
                described.add("%s %s %s"
                        .formatted(
                                call.getKey().toUpperCase(Locale.ROOT),
                                path.getKey(),
                                call.getValue().path("x-role").asText()));
            }
        }

        assertThat(described)
                .containsExactlyInAnyOrderElementsOf(routes().map(route -> "%s %s %s"
                                .formatted(
                                        route.method(),
                                        route.path(),
                                        route.role().spelling()))
                        .toList());
    }

    @Test
    void showsWhatWasDeliveredOfEachTable() throws Exception {
        assertThat(get("/api/v1/instances/shop/tables").body())
                .isEqualTo(
                        "{\"limit\":1,\"tables\":[],\"others\":{\"inserts\":0,\"updates\":0,\"deletes\":0,\"bytes\":0,"
                                + "\"lastChange\":null}}");

        Entry rows = TestEntry.rows(4);
        operations.deliver(List.of(TestEntry.begin(1), rows, rows, TestEntry.end(9)));

        JsonNode shown = JSON.readTree(get("/api/v1/instances/shop/tables").body());
        assertThat(shown.path("tables"))
                .containsExactly(JSON.readTree("{\"schema\":\"shop\",\"table\":\"orders\",\"inserts\":2,\"updates\":0,"
                        + "\"deletes\":0,\"bytes\":" + 2 * rows.sizeBytes()
                        + ",\"lastChange\":\"1970-01-01T00:00:01Z\"}"));
        assertThat(get("/api/v1/instances/till/tables").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            start   |                                        | start
            stop    |                                        | stop
            restart |                                        | restart
            release |                                        | release
            resume  |                                        | resume
            reload  |                                        | reload
            pause   |                                        | pause by a.operator
            pause   | {"reason":"maintenance"}               | pause a.operator: maintenance
            pause   | {"position":"binlog.000012:4711"}      | pauseAt position binlog.000012:4711
            pause   | {"gtid":"3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5"} | pauseAt GTID 3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5
            pause   | {"time":"2026-03-01T10:00:00Z"}        | pauseAt time 2026-03-01T10:00:00Z
            """)
    void anOperatorChangesAnInstance(String verb, String body, String expected) throws Exception {
        HttpResponse<String> answer =
                post("/api/v1/instances/shop/" + verb, body == null ? "" : body, ControlRole.OPERATOR);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(operations.calls()).containsExactly(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "restart", "release"})
    void aStartNamesWhatOfTheServersConfigurationHasNoEffectYet(String verb) throws Exception {
        JsonNode answer = JSON.readTree(
                post("/api/v1/instances/shop/" + verb, "", ControlRole.OPERATOR).body());

        assertThat(answer.path("restartKeys").toString()).isEqualTo("[\"kafka.acks\"]");
        assertThat(answer.path("serverProblem").asText()).isEqualTo("a bad key");
    }

    @Test
    void aTestAlarmIsAnsweredWithWhatBecameOfIt() throws Exception {
        HttpResponse<String> answer =
                send(request("/api/v1/alarm/test", ControlRole.OPERATOR).POST(BodyPublishers.noBody()));

        assertThat(answer.body()).isEqualTo("""
                {"delivered":false,"webhooks":[{"webhook":1,"format":"slack","delivered":false,"detail":"status 403: no"}]}""");
        assertThat(operations.calls()).containsExactly("alarm test");
    }

    @Test
    void limitsAreSetAndShown() throws Exception {
        HttpResponse<String> answer = send(request("/api/v1/instances/shop/limits", ControlRole.OPERATOR)
                .header("Content-Type", "application/json; charset=utf-8")
                .PUT(BodyPublishers.ofString("{\"rowsPerSecond\": 500}")));

        assertThat(operations.calls()).containsExactly("limit 500 0");
        JsonNode shown = JSON.readTree(answer.body());
        assertThat(shown.path("limits").path("rowsPerSecond").asLong()).isEqualTo(500);
        assertThat(shown.path("state").asText()).isEqualTo("stopped");
        assertThat(shown.path("paused").asBoolean()).isTrue();
        assertThat(shown.path("configurationProblem").asText()).isEqualTo("a bad line");
        assertThat(shown.path("throughput").path("bytesPerSecond").asLong()).isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            pause  | {"position":"binlog.000012"}                          | file:offset
            pause  | {"position":"newest"}                                 | file:offset
            pause  | {"gtid":"nonsense"}                                   | gtid
            pause  | {"gtid":""}                                           | gtid
            pause  | {"time":"yesterday"}                                  | not a time
            pause  | {"time":"2026-03-01T10:00:00Z","position":"b.1:4"}    | exclude each other
            pause  | {"position"                                           | no JSON
            pause  | []                                                    | JSON object
            pause  | {"positon":"binlog.000012:4711"}                      | there is no member positon here
            pause  | {"reason":true}                                       | reason must be a text
            start  | {"now":true}                                          | takes no body
            cursor | {"position":"oldest","dry_run":true}                  | there is no member dry_run here
            cursor | {"position":"oldest","dryRun":"yes"}                  | dryRun must be true or false
            cursor | {"position":"oldest","client":4294968297}             | client must be at most
            """)
    void wrongArgumentsAreRefusedAndSaidWhy(String verb, String body, String reason) throws Exception {
        HttpResponse<String> answer = post("/api/v1/instances/shop/" + verb, body, ControlRole.ADMINISTRATOR);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(JSON.readTree(answer.body()).path("detail").asText()).contains(reason);
        assertThat(operations.calls()).isEmpty();
    }

    @Test
    void anUnknownDestinationAPathThatIsNoneAndAnotherMethodAreToldApart() throws Exception {
        assertThat(get("/api/v1/instances/other").statusCode()).isEqualTo(404);
        assertThat(get("/api/v1/instances/other").body()).contains("there are shop");
        assertThat(get("/api/v1/instances/..%2F..%2Fetc").statusCode()).isEqualTo(404);
        assertThat(get("/api/v2").statusCode()).isEqualTo(404);
        try (Socket socket =
                new Socket(port.address().getAddress(), port.address().getPort())) {
            socket.getOutputStream()
                    .write(("GET /api/v1/%zz HTTP/1.0\r\nAuthorization: Bearer " + tokens.get(ControlRole.VIEWER)
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .contains(" 400 Bad Request");
        }
        HttpResponse<String> method = get("/api/v1/instances/shop/start");
        assertThat(method.statusCode()).isEqualTo(405);
        assertThat(method.headers().firstValue("Allow")).contains("POST");
        HttpResponse<String> text = send(request("/api/v1/instances/shop/pause", ControlRole.OPERATOR)
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{}")));
        assertThat(text.statusCode()).isEqualTo(415);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET /api/v1/server               |               | 401 Unauthorized       | WWW-Authenticate: Bearer | a valid token is needed: Authorization: Bearer, see sluice.sh token
            GET /api/v1/server               | none          | 401 Unauthorized       | WWW-Authenticate: Bearer | a valid token is needed: Authorization: Bearer, see sluice.sh token
            POST /api/v1/reload              | viewer        | 403 Forbidden          |                          | a.viewer has the role viewer, and this needs operator
            GET /api/v1/nothing              | viewer        | 404 Not Found          |                          | there is no such path; /api/v1/openapi.json describes those that there are
            DELETE /api/v1/instances/shop    | administrator | 405 Method Not Allowed | Allow: GET               | only GET is answered here
            GET /api/v1/instances/shop/cursor/delete | viewer | 405 Method Not Allowed | Allow: POST             | only POST is answered here
            PUT /api/v1/instances/shop/cursor | viewer       | 405 Method Not Allowed | Allow: GET, POST         | only GET, POST is answered here
            """)
    void whatIsNotAnsweredIsAProblemWithItsHeaders(
            String requestLine, String token, String status, String header, String detail) throws Exception {
        String credentials = token == null
                ? ""
                : "Authorization: bearer "
                        + (token.equals("none")
                                ? "x"
                                : tokens.get(ControlRole.find(token).orElseThrow())) + "\r\n";
        String answer;
        try (Socket socket =
                new Socket(port.address().getAddress(), port.address().getPort())) {
            socket.getOutputStream()
                    .write((requestLine + " HTTP/1.1\r\nConnection: close\r\n" + credentials + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }

        String body = "{\"status\":%s,\"title\":\"%s\",\"detail\":\"%s\"}"
                .formatted(status.substring(0, 3), status.substring(4), detail);
        List<String> lines = new ArrayList<>(List.of(
                "HTTP/1.1 " + status,
                "content-type: application/problem+json",
                "content-length: " + body.length(),
                "cache-control: no-store",
                "X-Content-Type-Options: nosniff"));
        if (header != null) {
            lines.add(header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT)
                    + header.substring(header.indexOf(':')));
        }
        lines.add("connection: close");
        assertThat(answer).isEqualTo(String.join("\r\n", lines) + "\r\n\r\n" + body);
    }

    @Test
    void whatIsRefusedAndWhatFailsAreToldApartAndFaultsStayInside() throws Exception {
        operations.refuse();
        HttpResponse<String> refused = post("/api/v1/instances/shop/start", "", ControlRole.OPERATOR);
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("try later");

        operations.breakDown();
        HttpResponse<String> failed = post("/api/v1/instances/shop/start", "", ControlRole.OPERATOR);
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.body()).doesNotContain("secret");
    }

    /** Without an answer, the caller and the connection would wait for each other. */
    @Test
    void aCallThatEndsWithAnErrorIsAnswered() throws Exception {
        operations.overflow();

        HttpResponse<String> failed = post("/api/v1/instances/shop/start", "", ControlRole.OPERATOR);

        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.body()).contains("the server's log has the reason");
    }

    @Test
    void pagesOfABrowserCannotCall() throws Exception {
        HttpResponse<String> answer = send(request("/api/v1/instances/shop/stop", ControlRole.OPERATOR)
                .header("Origin", "https://elsewhere.example")
                .POST(BodyPublishers.noBody()));

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(operations.calls()).isEmpty();
    }

    @Test
    void misspeltLimitsRemoveNoLimit() throws Exception {
        HttpResponse<String> answer = send(request("/api/v1/instances/shop/limits", ControlRole.OPERATOR)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"rowsPerSec\": 500}")));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(operations.calls()).isEmpty();
    }

    @Test
    void valuesOfRowsAreForAdministratorsOnly() throws Exception {
        HttpResponse<String> answer = send(request("/api/v1/instances/shop/changes?values=shown", ControlRole.OPERATOR)
                .GET());

        assertThat(answer.statusCode()).isEqualTo(403);
    }

    @Test
    void theEndOfALogIsReadAndNoOtherFile() throws Exception {
        Files.createDirectories(home.resolve("logs/shop"));
        Files.createDirectories(home.resolve("logs/canal"));
        Files.writeString(home.resolve("logs/shop/shop.log"), "one\ntwo\nthree\n");
        Files.writeString(home.resolve("logs/canal/canal.log"), "the server\n");

        assertThat(log("/api/v1/instances/shop/log?lines=2").body()).isEqualTo("two\nthree");
        assertThat(log("/api/v1/log").body()).isEqualTo("the server");
        assertThat(log("/api/v1/instances/other/log").statusCode()).isEqualTo(404);
        Files.writeString(home.resolve("logs/shop/shop.log.1"), "zero\n");
        Files.writeString(home.resolve("logs/shop/notes.txt"), "none\n");
        Files.createSymbolicLink(home.resolve("logs/shop/link.log"), home.resolve("logs/canal/canal.log"));
        assertThat(log("/api/v1/instances/shop/log/files").body()).isEqualTo("[\"shop.log\",\"shop.log.1\"]");
        assertThat(log("/api/v1/log/files").body()).isEqualTo("[\"canal.log\"]");
        assertThat(log("/api/v1/instances/other/log/files").statusCode()).isEqualTo(404);
        assertThat(log("/api/v1/log?file=other.log").statusCode()).isEqualTo(404);
        for (String trick :
                List.of("../../control-access", "%2e%2e%2fcontrol-access", "/etc/passwd", "..", "a%00.log")) {
            HttpResponse<String> refused = log("/api/v1/log?file=" + trick);
            assertThat(refused.statusCode()).as(trick).isIn(400, 404);
            assertThat(refused.body()).doesNotContain("administrator");
        }
    }

    private HttpResponse<String> log(String path) throws Exception {
        return send(request(path, ControlRole.OPERATOR).GET());
    }

    @Test
    void anAddressWithTooManyWrongTokensIsRefusedForAWhile() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(call("/api/v1/server", "sluice_wrong").statusCode()).isEqualTo(401);
        }

        assertThat(call("/api/v1/server", "sluice_wrong").statusCode()).isEqualTo(429);
        assertThat(call("/api/v1/instances", tokens.get(ControlRole.VIEWER)).statusCode())
                .as("one who has a token is not locked out by others")
                .isEqualTo(200);
        time.passSeconds(60);
        assertThat(call("/api/v1/server", "sluice_wrong").statusCode()).isEqualTo(401);
    }

    @Test
    void wrongTokensOfAnAddressThatWaitsAreCountedInTheAuditLog() throws Exception {
        List<String> recorded = new ArrayList<>();
        try (LogLines audit = LogLines.of(AuditLog.LOGGER, Level.INFO)) {
            for (int i = 0; i < 13; i++) {
                call("/api/v1/server", "sluice_wrong");
            }
            send(request("/api/v1/server").GET()); // has none
            time.passSeconds(61);
            for (int i = 0; i < 12; i++) {
                call("/api/v1/server", "sluice_wrong");
            }
            port.close();
            for (String line : audit.texts()) {
                recorded.add(JSON.readTree(line).path("after").asText());
            }
        }
        List<String> expected = new ArrayList<>(Collections.nCopies(10, "a wrong token"));
        expected.add("3 more wrong tokens are not listed");
        expected.addAll(Collections.nCopies(10, "a wrong token"));
        expected.add("2 more wrong tokens are not listed");
        assertThat(recorded).isEqualTo(expected);
    }

    @Test
    void aTokenThatIsRemovedIsRefusedAndOneThatIsAddedAccepted() throws Exception {
        assertThat(TokenFile.remove(file, "a.viewer")).isTrue();
        String added = TokenFile.add(file, "another", ControlRole.VIEWER);
        time.passSeconds(3);

        awaitStatus(401, tokens.get(ControlRole.VIEWER));
        assertThat(call("/api/v1/instances", added).statusCode()).isEqualTo(200);
    }

    /** On a machine with much to do, the file may be read after the caller has been answered by what was known before. */
    private void awaitStatus(int status, String token) {
        await().until(() -> call("/api/v1/instances", token).statusCode() == status);
    }

    @Test
    void noTokenIsAcceptedOfAFileThatCannotBeRead() throws Exception {
        Files.writeString(file, "someone administrator\n");
        time.passSeconds(3);

        awaitStatus(401, tokens.get(ControlRole.ADMINISTRATOR));
        assertThatThrownBy(() -> TokenFile.read(file)).hasMessageContaining("control-access:1");
    }

    /** As on a file system of a network that is gone: to open a pipe takes until somebody writes into it. */
    @Test
    void aFileThatHangsLeavesTheTokensAsTheyWereForAWhile() throws Exception {
        String tokenFile = Files.readString(file);
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        for (int i = 0; i < 20; i++) {
            time.passSeconds(2);
            assertThat(get("/api/v1/instances").statusCode()).isEqualTo(200);
        }
        time.pass(Duration.ofMinutes(5));
        assertThat(get("/api/v1/instances").statusCode()).isEqualTo(401);

        Files.writeString(file, tokenFile);
        await().until(() -> get("/api/v1/instances").statusCode() == 200);
    }

    @Test
    void staysClosedWhileNobodyMayCall() throws Exception {
        ControlConfig config = new ControlConfig("127.0.0.1", 0, home.resolve("none"), Map.of(), Optional.empty());

        assertThat(ApiPort.open(config, operations, new LogFiles(home), timer, time))
                .isEmpty();
    }

    @Test
    void sendsTheStateOfAllInstancesAgainAndAgain() throws Exception {
        HttpResponse<InputStream> events =
                client.send(request("/api/v1/events", ControlRole.VIEWER).GET().build(), BodyHandlers.ofInputStream());
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
            while (lines.stream().filter("event: instances"::equals).count() < 2) {
                lines.add(reader.readLine());
            }
        }

        assertThat(events.headers().firstValue("Content-Type")).contains("text/event-stream; charset=utf-8");
        assertThat(lines).anyMatch(line -> line.startsWith("data: [{\"destination\":\"shop\""));
        assertThat(get("/api/v1/instances").statusCode()).isEqualTo(200);
    }

    /** A client that finds the connection closed before the last chunk fails, and discards what it has not read yet. */
    @Test
    void completesTheAnswerAfterTheLastChangeThatWasAskedFor() throws Exception {
        String request =
                "GET /api/v1/instances/shop/changes?limit=2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n";
        try (Socket socket =
                new Socket(port.address().getAddress(), port.address().getPort())) {
            socket.getOutputStream()
                    .write(request.formatted(tokens.get(ControlRole.OPERATOR)).getBytes(StandardCharsets.US_ASCII));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(reader.readLine()).isEqualTo("HTTP/1.1 200 OK"); // it watches before it answers
            for (long offset = 1; offset <= 2; offset++) {
                operations.tap().delivered(List.of(TestEntry.rows(offset)));
            }

            List<String> lines = reader.lines().toList();

            assertThat(lines).filteredOn("event: change"::equals).hasSize(2);
            assertThat(lines.subList(lines.indexOf("event: end"), lines.size()))
                    .containsExactly("event: end", "data: {}", "", "", "0", "");
        }
    }

    @Test
    void answersRequestsOfOneConnectionInTheirOrder() throws Exception {
        String one = "GET /api/v1/instances/%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n";
        try (Socket socket =
                new Socket(port.address().getAddress(), port.address().getPort())) {
            String token = tokens.get(ControlRole.VIEWER);
            socket.getOutputStream()
                    .write((one.formatted("shop", token) + one.formatted("other", token) + one.formatted("shop", token))
                            .getBytes(StandardCharsets.US_ASCII));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            List<String> statuses = new ArrayList<>();
            while (statuses.size() < 3) {
                String line = reader.readLine();
                int at = line.indexOf("HTTP/1.1 ");
                if (at >= 0) {
                    statuses.add(line.substring(at + 9, at + 12));
                }
            }
            assertThat(statuses).containsExactly("200", "404", "200");
        }
    }

    /** A stream of events is an answer that does not end. */
    @Test
    void aCallerHasFewBodiesInMemoryThatWaitForAnAnswer() throws Exception {
        String token = tokens.get(ControlRole.OPERATOR);
        try (LogLines lines = LogLines.of(RejectionLog.class);
                Socket socket =
                        new Socket(port.address().getAddress(), port.address().getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write("GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n"
                    .formatted(token)
                    .getBytes(StandardCharsets.US_ASCII));
            byte[] post =
                    ("POST /api/v1/instances/shop/pause HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: 60000\r\n\r\n"
                                            .formatted(token)
                                    + "x".repeat(60_000))
                            .getBytes(StandardCharsets.US_ASCII);
            try {
                for (int i = 0; i < 3; i++) {
                    out.write(post);
                }
            } catch (IOException e) {
                // it was closed before all was sent
            }
            await().until(() -> lines.texts().stream()
                    .anyMatch(line -> line.contains("it sends requests without waiting for the answers")));
        }
        assertThat(operations.calls()).isEmpty();
    }

    @Test
    void aCallerCannotHaveAllConnections() throws Exception {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < ApiPort.MAX_OF_A_CALLER; i++) {
                open.add(call(200));
            }
            open.add(call(429));

            assertThat(send(request("/api/v1/instances", ControlRole.OPERATOR)).statusCode())
                    .isEqualTo(200);

            open.remove(0).close();
            await().ignoreExceptions().untilAsserted(() -> open.add(call(200)));
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    /** Calls may take long, as those that wait for ZooKeeper. */
    @Test
    void theCallsOfOneCallerLeaveWorkersToOthers() throws Exception {
        Semaphore begun = new Semaphore(0);
        CountDownLatch end = new CountDownLatch(1);
        operations.hold(begun, end);
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < ApiPort.MAX_CALLS_OF_A_CALLER; i++) {
                open.add(callForTables());
            }
            begun.acquire(ApiPort.MAX_CALLS_OF_A_CALLER);
            for (int i = open.size(); i < ApiPort.MAX_OF_A_CALLER; i++) {
                Socket rejected = callForTables();
                open.add(rejected);
                requireStatus(429, rejected);
            }

            assertThat(send(request("/api/v1/instances", ControlRole.OPERATOR)).statusCode())
                    .isEqualTo(200);

            end.countDown();
            for (Socket socket : open.subList(0, ApiPort.MAX_CALLS_OF_A_CALLER)) {
                requireStatus(200, socket);
            }
            writeCall(open.get(ApiPort.MAX_CALLS_OF_A_CALLER), "/api/v1/instances/shop/tables");
            requireStatus(200, open.get(ApiPort.MAX_CALLS_OF_A_CALLER));
        } finally {
            end.countDown();
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private Socket callForTables() throws IOException {
        Socket socket = new Socket(port.address().getAddress(), port.address().getPort());
        socket.setSoTimeout(60_000);
        writeCall(socket, "/api/v1/instances/shop/tables");
        return socket;
    }

    /** A connection of a viewer that stays open after a call, which is answered so. */
    private Socket call(int status) throws IOException {
        Socket socket = new Socket(port.address().getAddress(), port.address().getPort());
        writeCall(socket, "/api/v1/instances");
        requireStatus(status, socket);
        return socket;
    }

    private void writeCall(Socket socket, String path) throws IOException {
        socket.getOutputStream()
                .write("GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n"
                        .formatted(path, tokens.get(ControlRole.VIEWER))
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads to the first line of the next answer. */
    private static void requireStatus(int status, Socket socket) throws IOException {
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        String line;
        do {
            line = reader.readLine();
            assertThat(line).as("the connection is open").isNotNull();
        } while (!line.contains("HTTP/1.1 "));
        assertThat(line).contains("HTTP/1.1 " + status + " ");
    }

    /** Any name may be in the header; what it holds neither breaks a line nor gives a right. */
    @Test
    void aCallMayBeOnBehalfOfSomebody() throws Exception {
        send(request("/api/v1/instances/shop/pause", ControlRole.OPERATOR)
                .header("X-Sluice-On-Behalf-Of", "J%C3%B6rg%0A%zz")
                .POST(BodyPublishers.noBody()));
        send(request("/api/v1/instances/shop/pause", ControlRole.OPERATOR)
                .header("X-Sluice-On-Behalf-Of", "J%C3%B6rg%0Ax")
                .POST(BodyPublishers.noBody()));

        assertThat(operations.calls())
                .contains("pause by J%C3%B6rg%0A%zz by a.operator", "pause by Jörg x by a.operator");
        assertThat(send(request("/api/v1/instances/shop/stop", ControlRole.VIEWER)
                                .header("X-Sluice-On-Behalf-Of", "a.operator")
                                .POST(BodyPublishers.noBody()))
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void closesConnectionsThatSendTooMuchOrNoHttp() throws Exception {
        HttpResponse<String> large = post(
                "/api/v1/instances/shop/pause", "{\"reason\":\"" + "x".repeat(70_000) + "\"}", ControlRole.OPERATOR);
        assertThat(large.statusCode()).isEqualTo(413);
        try (Socket socket =
                new Socket(port.address().getAddress(), port.address().getPort())) {
            socket.getOutputStream().write("nonsense\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void describesAllKeys() throws Exception {
        JsonNode catalog = JSON.readTree(get("/api/v1/config/keys").body());

        assertThat(catalog.path("keys")).anySatisfy(key -> {
            assertThat(key.path("name").asText()).isEqualTo("canal.instance.dbPassword");
            assertThat(key.path("secret").asBoolean()).isTrue();
            assertThat(key.path("change").asText()).isEqualTo("reload");
        });
        assertThat(catalog.path("connectorPrefixes"))
                .extracting(JsonNode::asText)
                .contains("kafka.");
    }

    @Test
    void checksTextsThatAreSent() throws Exception {
        String body = JSON.writeValueAsString(
                Map.of(
                        "destination",
                        "shop",
                        "canal.properties",
                        "canal.serverMode = kafka\nkafka.bootstrap.servers = a:1\n",
                        "instance.properties",
                        "canal.instance.master.address = db:3306\ncanal.instance.dbPassword = a secret\n\ncanal.mq.partition = x\n"));

        HttpResponse<String> answer = post("/api/v1/config/check", body, ControlRole.OPERATOR);

        assertThat(answer.statusCode()).isEqualTo(200);
        JsonNode found = JSON.readTree(answer.body());
        assertThat(found.path("good").asBoolean()).isFalse();
        assertThat(found.path("problems"))
                .anySatisfy(problem -> assertThat(problem.toString())
                        .isEqualTo("{\"text\":\"instance.properties\",\"line\":4,\"key\":\"canal.mq.partition\","
                                + "\"problem\":\"must be a whole number, at least 0\"}"));
        assertThat(answer.body()).doesNotContain("a secret");
        assertThat(operations.calls()).containsExactly("check shop");
    }

    @Test
    void routesTablesByTextsThatAreSent() throws Exception {
        String body = JSON.writeValueAsString(Map.of(
                "canal.properties",
                "canal.serverMode = kafka\nkafka.bootstrap.servers = a:1\n",
                "instance.properties",
                """
                canal.instance.master.address = db:3306
                canal.instance.filter.regex = shop\\\\..*
                canal.mq.topic = all
                canal.mq.partitionsNum = 4
                canal.mq.partitionHash = shop\\\\..*:id
                """,
                "tables",
                List.of("shop.orders", "till.items"),
                "rows",
                List.of("id=7")));

        JsonNode answer = JSON.readTree(
                post("/api/v1/config/route", body, ControlRole.VIEWER).body());

        assertThat(answer.path("problems")).isEmpty();
        JsonNode orders = answer.path("tables").path(0);
        assertThat(orders.path("delivered").asBoolean()).isTrue();
        assertThat(orders.path("topic").asText()).isEqualTo("all");
        assertThat(orders.path("keyColumns").path(0).asText()).isEqualTo("id");
        assertThat(orders.path("rows").path(0).path("partition").isInt()).isTrue();
        assertThat(answer.path("tables").path(1).path("delivered").asBoolean()).isFalse();
        String tcp = body.replace("canal.serverMode = kafka", "canal.serverMode = tcp\\ncanal.ip = 127.0.0.1");
        assertThat(JSON.readTree(post("/api/v1/config/route", tcp, ControlRole.VIEWER)
                                .body())
                        .path("tables")
                        .path(0))
                .hasSize(4);
    }

    @Test
    void rulesThatTakeTooLongAreProblemsAndNotMatched() throws Exception {
        JsonNode answer = JSON.readTree(post(
                        "/api/v1/config/route",
                        routed("canal.mq.dynamicTopic = ((((){9999}){9999}){9999}){9999}\\\\.y\n", "aaa.b"),
                        ControlRole.VIEWER)
                .body());

        assertThat(answer.path("problems")).singleElement().satisfies(problem -> {
            assertThat(problem.path("key").asText()).isEqualTo("canal.mq.dynamicTopic");
            assertThat(problem.path("problem").asText()).contains("takes too long to match");
        });
        assertThat(answer.path("tables")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"canal.mq.partitionHash = ", "canal.instance.filter.regex = "})
    void aRequestIsRefusedWhoseExpressionsTogetherTakeTooLong(String key) throws Exception {
        String rules = "a*a*a*a*a*a*\\\\.b,".repeat(2_000);
        String name = "a".repeat(120) + ".c";

        HttpResponse<String> answer = post(
                "/api/v1/config/route",
                routed(key + rules + "\ncanal.mq.partitionsNum = 2\n", name),
                ControlRole.VIEWER);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).containsAnyOf("takes too long to match", "in a reasonable time");
    }

    private static String routed(String rules, String table) throws IOException {
        return JSON.writeValueAsString(Map.of(
                "canal.properties",
                "canal.serverMode = kafka\nkafka.bootstrap.servers = a:1\n",
                "instance.properties",
                "canal.instance.master.address = db:3306\ncanal.mq.topic = all\n" + rules,
                "tables",
                List.of(table)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            check | {}                                                             | must be given
            check | {"instance.propertys":""}                                      | there is no member instance.propertys
            check | {"instance.properties":true}                                   | must be a text
            check | {"instance.properties":"","destination":"../x"}                | destination must be the name
            route | {"instance.properties":"a=b"}                                  | tables
            route | {"instance.properties":"a=b","tables":"shop.orders"}           | tables must be an array
            route | {"instance.properties":"a=b","tables":[1]}                     | tables must be an array
            route | {"instance.properties":"a=b","tables":["a.b"],"rows":["=1"]}   | a column has no name
            connect | {"canal.properties":"a=b"}                                   | instance.properties must be given
            connect | {"instance.properties":"a=b","tables":["a.b"]}               | there is no member tables
            connect | {"instance.properties":["a=b"]}                              | must be a text
            tables  | {}                                                           | must be given
            tables  | {"instance.properties":"a=b","destination":"a/b"}            | destination must be the name
            """)
    void textsThatAreSentWronglyAreRefused(String call, String body, String reason) throws Exception {
        HttpResponse<String> answer = post("/api/v1/config/" + call, body, ControlRole.ADMINISTRATOR);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(answer.body()).path("detail").asText()).contains(reason);
    }

    @Test
    void triesWhatTextsNeedAndRecordsThatWithoutThem() throws Exception {
        String body = JSON.writeValueAsString(Map.of(
                "destination",
                "shop",
                "canal.properties",
                "canal.serverMode = kafka\nkafka.bootstrap.servers = 127.0.0.1:1\n",
                "instance.properties",
                """
                canal.instance.master.address = 127.0.0.1:1
                canal.instance.dbUsername = u
                canal.instance.dbPassword = a secret
                canal.instance.standby.address = ${env:PATH}
                canal.mq.topic = t
                """));
        JsonNode untried;
        JsonNode tried;
        JsonNode tables;
        List<String> recorded;
        try (LogLines audit = LogLines.of(AuditLog.LOGGER, Level.INFO)) {
            untried = JSON.readTree(post("/api/v1/config/connect", body, ControlRole.ADMINISTRATOR)
                    .body());
            String known = body.replace("canal.instance.standby.address = ${env:PATH}", "");
            tried = JSON.readTree(post("/api/v1/config/connect", known, ControlRole.ADMINISTRATOR)
                    .body());
            tables = JSON.readTree(post("/api/v1/config/tables", known, ControlRole.ADMINISTRATOR)
                    .body());
            assertThat(JSON.readTree(post("/api/v1/config/tables", body, ControlRole.ADMINISTRATOR)
                                    .body())
                            .path("failure")
                            .path("verdict")
                            .asText())
                    .isEqualTo("unknown");
            recorded = audit.texts();
        }

        assertThat(untried.path("targets").path(0).path("findings").path(0).toString())
                .contains("\"unknown\"", "not tried: canal.instance.standby.address needs a file, a variable");
        assertThat(untried.path("unchecked").toString()).contains("canal.instance.standby.address");
        assertThat(tried.path("good").asBoolean()).isFalse();
        JsonNode source = tried.path("targets").path(0);
        assertThat(source.path("target").asText()).isEqualTo("source 127.0.0.1:1");
        assertThat(source.path("findings").path(0).path("verdict").asText()).isEqualTo("failed");
        assertThat(source.path("findings").path(0).path("remedy").asText()).isNotBlank();
        assertThat(tried.path("targets").path(1).toString())
                .contains("\"kafka\"", "this server has not loaded the connector");
        assertThat(tables.path("tables")).isEmpty();
        assertThat(tables.path("failure").path("subject").asText()).isEqualTo("source 127.0.0.1:1");
        assertThat(recorded)
                .hasSize(4)
                .allSatisfy(line -> assertThat(line)
                        .contains("\"who\":\"a.administrator\"", "instance=shop", "\"done\":true")
                        .doesNotContain("secret", "properties"));
        assertThat(recorded.get(1)).contains("\"try a configuration\"", "source 127.0.0.1:1: {failed=1}");
        assertThat(List.of(untried, tried, tables).toString()).doesNotContain("a secret");
    }

    @Test
    void nothingIsTriedOfTextsWithProblems() throws Exception {
        for (String call : List.of("connect", "tables")) {
            JsonNode answer = JSON.readTree(post(
                            "/api/v1/config/" + call,
                            "{\"instance.properties\":\"canal.instance.gtidon = x\"}",
                            ControlRole.ADMINISTRATOR)
                    .body());

            assertThat(answer.path("problems").toString()).contains("canal.instance.gtidon");
            assertThat(answer.path("targets").size() + answer.path("tables").size())
                    .isZero();
        }
        assertThat(operations.calls()).isEmpty();
    }

    @Test
    void textsThatAreTooLargeAreRefused() throws Exception {
        String body = "{\"instance.properties\":\"" + "x".repeat(70_000) + "\"}";

        assertThat(post("/api/v1/config/check", body, ControlRole.OPERATOR).statusCode())
                .isEqualTo(413);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(request(path, ControlRole.VIEWER).GET());
    }

    private HttpResponse<String> post(String path, String body, ControlRole role) throws Exception {
        HttpRequest.Builder request = request(path, role);
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        return send(request.POST(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String path, ControlRole role) {
        return request(path).header("Authorization", "Bearer " + tokens.get(role));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + port.address().getPort() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> call(Route route, String token) throws Exception {
        HttpRequest.Builder request =
                request(route.path().replace("{destination}", "shop")).method(route.method(), BodyPublishers.noBody());
        return send(token == null ? request : request.header("Authorization", "Bearer " + token));
    }

    private HttpResponse<String> call(String path, String token) throws Exception {
        return send(request(path).header("Authorization", "Bearer " + token).GET());
    }
}
