package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.time.Time;
import io.sluice.server.alarm.AlarmCounts;
import io.sluice.server.config.port.MetricsConfig;
import io.sluice.server.control.Missing;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.health.Stage;
import io.sluice.server.health.Stall;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.pace.RateLimits;
import io.sluice.server.tcp.TcpServer;
import io.sluice.server.version.BuildVersion;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class MetricsPortTest {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Seen seen = new Seen();
    private final HandTime time = new HandTime();
    private MetricsPort port;

    @BeforeEach
    void open() throws IOException {
        port = MetricsPort.open(new MetricsConfig("127.0.0.1", 0, Optional.empty()), seen, time);
    }

    @AfterEach
    void close() {
        seen.obstacle.countDown();
        port.close();
    }

    @Test
    void aHostThatConnectsAgainAndAgainDoesNotKeepProbesOfOthersWaiting() throws Exception {
        List<Socket> flood = new ArrayList<>();
        try {
            for (int i = 0; i < 900; i++) {
                Socket one = new Socket();
                one.bind(new InetSocketAddress("127.0.0.2", 0));
                one.connect(port.address());
                flood.add(one);
            }
            HttpRequest probe = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + port.address().getPort() + "/health/live"))
                    .timeout(Duration.ofSeconds(
                            12)) // less than that of a probe that waits behind these at 50 per second
                    .build();

            assertThat(client.send(probe, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        } finally {
            for (Socket one : flood) {
                one.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/metrics", "/metrics?name[]=up"})
    void metricsAreText(String path) throws Exception {
        HttpResponse<String> page = get(path);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(page.body())
                .contains("sluice_instance_here{destination=\"shop\"} 0.0\n")
                .contains("jvm_memory_bytes_used{area=\"heap\"} ")
                .contains("process_cpu_seconds_total ");
    }

    /** Those that canal's version of Prometheus's library has for the JVM and its process; jvm_classes_loaded is a counter now. */
    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/openmetrics-text;version=1.0.0"})
    void theMetricsOfTheJvmHaveCanalsNamesToo(String format) throws Exception {
        HttpResponse<String> page =
                client.send(request("/metrics").header("Accept", format).build(), HttpResponse.BodyHandlers.ofString());

        assertThat(page.body().lines().map(line -> line.split("[ ,]")[0].replaceFirst("=\".*", "")))
                .contains(
                        "jvm_buffer_pool_capacity_bytes{pool",
                        "jvm_buffer_pool_used_buffers{pool",
                        "jvm_buffer_pool_used_bytes{pool",
                        "jvm_classes_loaded_total",
                        "jvm_classes_unloaded_total",
                        "jvm_gc_collection_seconds_count{gc",
                        "jvm_gc_collection_seconds_sum{gc",
                        "jvm_info{runtime",
                        "jvm_memory_bytes_committed{area",
                        "jvm_memory_bytes_init{area",
                        "jvm_memory_bytes_max{area",
                        "jvm_memory_bytes_used{area",
                        "jvm_memory_pool_bytes_committed{pool",
                        "jvm_memory_pool_bytes_init{pool",
                        "jvm_memory_pool_bytes_max{pool",
                        "jvm_memory_pool_bytes_used{pool",
                        "jvm_threads_current",
                        "jvm_threads_daemon",
                        "jvm_threads_deadlocked",
                        "jvm_threads_deadlocked_monitor",
                        "jvm_threads_peak",
                        "jvm_threads_started_total",
                        "process_cpu_seconds_total",
                        "process_max_fds",
                        "process_open_fds",
                        "process_resident_memory_bytes",
                        "process_start_time_seconds",
                        "process_virtual_memory_bytes");
    }

    @Test
    void aClientThatAcceptsOpenMetricsGetsIt() throws Exception {
        HttpResponse<String> page = client.send(
                request("/metrics")
                        .header("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(page.headers().firstValue("Content-Type"))
                .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
        assertThat(page.body()).endsWith("# EOF\n");
    }

    @Test
    void theBuildIsAMetric() throws Exception {
        BuildVersion build = BuildVersion.ofThisBuild();

        assertThat(get("/metrics").body())
                .contains("sluice_build_info{java=\"%s\",revision=\"%s\",version=\"%s\"} 1"
                        .formatted(Runtime.version(), build.commitText(), build.version()));
    }

    @Test
    void aPageIsCompressedForClientsThatAcceptIt() throws Exception {
        HttpResponse<InputStream> page = client.send(
                request("/metrics").header("Accept-Encoding", "gzip").build(),
                HttpResponse.BodyHandlers.ofInputStream());

        assertThat(page.headers().firstValue("Content-Encoding")).contains("gzip");
        try (InputStream body = new GZIPInputStream(page.body())) {
            assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).contains("sluice_instance_here");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', false",
        "identity, false",
        "deflate, false",
        "gzip;q=0, false",
        "'*;q=0, deflate', false",
        "'gzip;q=0, *', false",
        "'deflate, GZIP;q=0.5', true",
        "*, true",
    })
    void aPageIsCompressedByGzipOrNotAtAll(String accepted, boolean isCompressed) throws Exception {
        HttpResponse<InputStream> page = client.send(
                request("/metrics").header("Accept-Encoding", accepted).build(),
                HttpResponse.BodyHandlers.ofInputStream());

        assertThat(page.headers().firstValue("Content-Encoding").orElse("")).isEqualTo(isCompressed ? "gzip" : "");
        try (InputStream body = isCompressed ? new GZIPInputStream(page.body()) : page.body()) {
            assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).contains("sluice_instance_here");
        }
    }

    /** Every connection may ask, as often as the sockets allow. */
    @Test
    void requestsWithinASecondGetOnePageOfEachFormat() throws Exception {
        String flood = String.join(
                        "\r\n",
                        "GET / HTTP/1.1",
                        "Host: x",
                        "",
                        "GET /metrics HTTP/1.1",
                        "Host: x",
                        "Accept-Encoding: gzip",
                        "",
                        "GET / HTTP/1.1",
                        "Host: x",
                        "Accept: application/openmetrics-text",
                        "Accept-Encoding: deflate",
                        "",
                        "GET / HTTP/1.1",
                        "Host: x",
                        "Accept: application/openmetrics-text",
                        "Accept-Encoding: gzip",
                        "",
                        "")
                .repeat(50);
        try (Socket one = connect();
                Socket other = connect()) {
            for (Socket socket : List.of(one, other)) {
                write(socket, flood);
            }
            for (Socket socket : List.of(one, other)) {
                InputStream answers = new BufferedInputStream(socket.getInputStream());
                for (int read = 0; read < 200; read++) {
                    assertThat(readAnswer(answers)).isPositive();
                }
            }
        }

        assertThat(seen.pages).as("as text, and as OpenMetrics").hasValue(2);
        time.pass(Duration.ofMillis(999));
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
        assertThat(seen.pages).hasValue(2);
        time.pass(Duration.ofMillis(1));
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
        assertThat(seen.pages).hasValue(3);
    }

    @Test
    void theProcessIsReportedAsAliveWhileMetricsAreCollected() throws Exception {
        seen.obstacle = new CountDownLatch(1);
        List<CompletableFuture<HttpResponse<String>>> pages = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            pages.add(client.sendAsync(request("/metrics").build(), HttpResponse.BodyHandlers.ofString()));
        }
        await().until(() -> seen.pages.get() == 1);

        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        time.passSeconds(5);
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        assertThat(pages).noneMatch(CompletableFuture::isDone);
        seen.obstacle.countDown();
        for (CompletableFuture<HttpResponse<String>> page : pages) {
            assertThat(page.get().body()).contains("sluice_instance_here");
        }
        assertThat(seen.pages).hasValue(1);
    }

    @Test
    void metricsThatCannotBeCollectedAreAnErrorForASecond() throws Exception {
        seen.fault = new IllegalStateException("password=hunter2");

        for (int i = 0; i < 3; i++) {
            HttpResponse<String> page = get("/metrics");
            assertThat(page.statusCode()).isEqualTo(500);
            assertThat(page.body()).isEqualTo("See the server's log.\n");
        }
        assertThat(seen.pages).hasValue(1);
        seen.fault = null;
        time.passSeconds(1);
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
    }

    /** An error as a class that is not found, which is logged once however many requests there are. */
    @Test
    void metricsThatEndByAnErrorAreLoggedOnce() throws Exception {
        seen.error = new NoClassDefFoundError("gone");
        try (LogLines log = LogLines.of(PageHandler.class.getPackageName())) {
            for (int i = 0; i < 3; i++) {
                assertThat(get("/metrics").statusCode()).isEqualTo(500);
            }

            assertThat(log.texts()).hasSize(1);
        }
    }

    @Test
    void allHeadersOfOneNameCount() {
        HttpHeaders headers = new DefaultHttpHeaders()
                .add(HttpHeaderNames.ACCEPT, "text/html")
                .add(HttpHeaderNames.ACCEPT, "text/plain")
                .add(HttpHeaderNames.ACCEPT_ENCODING, "deflate")
                .add(HttpHeaderNames.ACCEPT_ENCODING, "gzip");

        assertThat(Accepted.of(headers)).isEqualTo(new Accepted("text/html,text/plain", true));
    }

    @Test
    void healthReportsEachInstance() throws Exception {
        assertThat(get("/health").body())
                .isEqualTo("{\"status\":\"up\",\"instances\":[{\"destination\":\"shop\",\"state\":\"not_here\","
                        + "\"paused\":false,\"stopped\":false}]}");

        seen.health = List.of(new InstanceHealth("shop", InstanceState.RUNNING, null, null));
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/health").headers().firstValue("Content-Type")).contains("application/json");

        seen.health = List.of(new InstanceHealth(
                "shop", InstanceState.RUNNING, new Stall(Stage.BROKER, Duration.ofMillis(63_900)), null));
        HttpResponse<String> stalled = get("/health");
        assertThat(stalled.statusCode()).isEqualTo(503);
        assertThat(stalled.body())
                .isEqualTo("{\"status\":\"down\",\"instances\":[{\"destination\":\"shop\",\"state\":\"running\","
                        + "\"paused\":false,\"stopped\":false,\"stalled\":{\"stage\":\"broker\",\"seconds\":63,\"meaning\":\""
                        + Stage.BROKER.meaning()
                        + "\"}}]}");
        assertThat(get("/metrics").body())
                .contains("sluice_instance_healthy{destination=\"shop\"} 0.0\n")
                .contains("sluice_instance_stalled_seconds{destination=\"shop\",stage=\"broker\"} 63.9\n")
                .contains("sluice_instance_stalled_seconds{destination=\"shop\",stage=\"source\"} 0.0\n");

        seen.health = List.of(new InstanceHealth("shop", InstanceState.FAILED, null, SourceFailure.AUTHENTICATION));
        assertThat(get("/health").statusCode()).isEqualTo(503);
        assertThat(get("/health").body())
                .contains("\"source\":{\"failure\":\"authentication\",\"remedy\":\"check canal.instance.dbUsername");
        time.passSeconds(1);
        assertThat(get("/metrics").body())
                .contains("sluice_source_failing{destination=\"shop\",failure=\"authentication\"} 1.0\n")
                .contains("sluice_source_failing{destination=\"shop\",failure=\"purged\"} 0.0\n");
        assertThat(get("/health/live").statusCode()).as("the process").isEqualTo(200);
    }

    /** Whoever follows the remedy of all failures of the kind would look at a password that is right. */
    @Test
    void theRemedyIsThatOfTheErrorWithoutTheAccount() throws Exception {
        seen.health = List.of(new InstanceHealth("shop", InstanceState.FAILED, null, SourceFailure.MISCONFIGURED));
        seen.remedy = AccountFailure.grant(AccountFailure.REPLICATION_SLAVE, "'o'reilly'@'10.%'");

        assertThat(get("/health").body())
                .contains(
                        "\"remedy\":\"run on the source: GRANT REPLICATION SLAVE ON *.* TO the account of the instance\"")
                .doesNotContain("reilly", "10.%");
    }

    /** The server rejects a login with this error also if only the host of the account is wrong, so the password may be right. */
    @ParameterizedTest
    @ValueSource(strings = {"", "retl", "carry"})
    void theRemedyOfARejectedLoginSaysNothingOfThePassword(String password) throws Exception {
        Throwable rejected = AccountFailure.explained(
                new ServerErrorException("login", ServerErrorException.ACCESS_DENIED, "28000", "Access denied", ""),
                ConnectOptions.of(new ServerAddress("db", 3306), "canal", password),
                null);
        seen.health = List.of(new InstanceHealth("shop", InstanceState.FAILED, null, SourceFailure.AUTHENTICATION));
        seen.remedy = FailureClassifier.remedy(rejected);

        assertThat(get("/health").body())
                .contains("\"remedy\":\"" + SourceFailure.AUTHENTICATION.remedy() + "\"")
                .doesNotContain("blank", "retl", "default", "GRANT");
    }

    @Test
    void whatAnOperatorWantsIsShownAndIsNoReasonForAlarm() throws Exception {
        seen.health = List.of(new InstanceHealth("shop", InstanceState.RUNNING, null, null));
        seen.destinations = List.of(
                status("shop", true, new RateLimits(5_000, 0)),
                new DestinationStatus("till", true, true, false, RateLimits.NONE));

        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/health").body())
                .isEqualTo("{\"status\":\"up\",\"instances\":["
                        + "{\"destination\":\"shop\",\"state\":\"running\",\"paused\":true,\"stopped\":false},"
                        + "{\"destination\":\"till\",\"state\":\"stopped\",\"paused\":false,\"stopped\":true}]}");
        assertThat(get("/metrics").body())
                .contains("sluice_instance_paused{destination=\"shop\"} 1.0\n")
                .contains("sluice_instance_paused{destination=\"till\"} 0.0\n")
                .contains("sluice_instance_stopped{destination=\"shop\"} 0.0\n")
                .contains("sluice_instance_stopped{destination=\"till\"} 1.0\n")
                .contains("sluice_instance_configuration_refused{destination=\"shop\"} 0.0\n")
                .contains("sluice_instance_configuration_refused{destination=\"till\"} 1.0\n")
                .contains("sluice_instance_limit_rows_per_second{destination=\"shop\"} 5000.0\n")
                .contains("sluice_instance_limit_rows_per_second{destination=\"till\"} 0.0\n")
                .contains("sluice_instance_limit_bytes_per_second{destination=\"shop\"} 0.0\n");
    }

    @Test
    void anInstanceThatWasNeverRightIsShownAndNeedsAction() throws Exception {
        seen.health = List.of(new InstanceHealth("shop", InstanceState.RUNNING, null, null));
        seen.destinations = List.of(
                status("shop", false, RateLimits.NONE), DestinationStatus.ofMissing("till", Missing.Reason.INVALID));

        assertThat(get("/health").statusCode()).isEqualTo(503);
        assertThat(get("/health").body())
                .contains("{\"destination\":\"till\",\"state\":\"invalid\",\"paused\":false,\"stopped\":false,"
                        + "\"meaning\":\"its configuration was never right;");
        assertThat(get("/metrics").body())
                .contains("sluice_instance_here{destination=\"till\"} 0.0\n")
                .contains("sluice_instance_configuration_refused{destination=\"till\"} 1.0\n");
    }

    @Test
    void anInstanceThatWaitsToBeAddedIsPendingAndNeedsNoAction() throws Exception {
        seen.destinations = List.of(DestinationStatus.ofMissing("till", Missing.Reason.PENDING));

        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/health").body()).contains("\"destination\":\"till\",\"state\":\"pending\"");
        assertThat(get("/metrics").body())
                .contains("sluice_instance_configuration_refused{destination=\"till\"} 0.0\n");
    }

    @Test
    void anInstanceWhoseRemovalHasFailedNeedsActionAndIsMissedOnNoServer() throws Exception {
        seen.destinations = List.of(DestinationStatus.ofMissing("till", Missing.Reason.NOT_ENDED));

        assertThat(get("/health").statusCode()).isEqualTo(503);
        assertThat(get("/health").body())
                .contains("\"destination\":\"till\",\"state\":\"not_ended\"", "it was removed");
        assertThat(get("/metrics").body()).doesNotContain("sluice_instance_here{destination=\"till\"}");
    }

    /** On a server that has lost ZooKeeper, it may run on another one. */
    @Test
    void anInstanceThatCouldNotBeMadeHereOrRunsNowhereIsNotHere() throws Exception {
        seen.health = List.of(new InstanceHealth("shop", InstanceState.FAILED, null, null));

        assertThat(get("/metrics").body())
                .contains("sluice_instance_here{destination=\"shop\"} 0.0\n")
                .contains("sluice_instance_healthy{destination=\"shop\"} 0.0\n")
                .contains("sluice_instance_state{destination=\"shop\",state=\"failed\"} 1.0\n");
    }

    @Test
    void aConfigurationThatCannotBeReadIsOneProblemOfTheServer() throws Exception {
        assertThat(get("/metrics").body()).contains("sluice_configuration_refused 0.0\n");
        seen.isConfigurationRefused = true;
        time.passSeconds(1);
        assertThat(get("/metrics").body())
                .contains("sluice_configuration_refused 1.0\n")
                .contains("sluice_instance_configuration_refused{destination=\"shop\"} 0.0\n");
        assertThat(get("/health").statusCode()).isEqualTo(200);
    }

    private static DestinationStatus status(String destination, boolean paused, RateLimits limits) {
        return new DestinationStatus(destination, false, false, paused, limits);
    }

    @Test
    void aPageThatCannotBeMadeIsAnErrorWithoutItsCause() throws Exception {
        seen.fault = new IllegalStateException("password=hunter2");

        HttpResponse<String> page = get("/health");

        assertThat(page.statusCode()).isEqualTo(500);
        assertThat(page.body()).isEqualTo("See the server's log.\n");
        seen.fault = null;
        assertThat(get("/health").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"GET, /secrets, 404", "GET, /metrics/, 404", "POST, /metrics, 405", "DELETE, /health, 405"})
    void otherPathsAndMethodsAreRejected(String method, String path, int status) throws Exception {
        HttpResponse<String> page = client.send(
                request(path)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(page.statusCode()).isEqualTo(status);
        assertThat(page.headers().firstValue("Allow").isPresent()).isEqualTo(status == 405);
    }

    @Test
    void aHeadHasTheLengthAndNoBody() throws Exception {
        HttpResponse<String> head = client.send(
                request("/health/live")
                        .method("HEAD", HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Length")).contains("3");
        assertThat(head.body()).isEmpty();
    }

    @Test
    void severalRequestsMayComeAtOnceOnOneConnection() throws Exception {
        try (Socket socket = connect()) {
            String request = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
            write(socket, request + request + "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

            String answers = readToEnd(socket);

            assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(4);
            assertThat(answers).endsWith("\r\n\r\nup\n");
        }
    }

    /** Of the answers that a client asks for and does not read, only those are made that the sockets hold. */
    @Test
    void aRequestIsReadWhenTheAnswerBeforeItIsWritten() throws Exception {
        int requests = 100;
        int mostAhead = 20;
        seen.destinations = Collections.nCopies(10_000, status("x".repeat(100), false, RateLimits.NONE));
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(1 << 16);
            socket.connect(port.address());
            socket.setSoTimeout(60_000);
            write(socket, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n".repeat(requests));
            InputStream answers = new BufferedInputStream(socket.getInputStream());
            for (int read = 0; read < requests; read++) {
                assertThat(readAnswer(answers)).isGreaterThan(1 << 20);
                assertThat(seen.pages.get() - read).isLessThan(mostAhead);
            }
        }
        assertThat(seen.pages).hasValue(requests);
    }

    /** Reads one answer and returns the length of its body. */
    private static int readAnswer(InputStream answers) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = answers.read();
            if (next < 0) {
                throw new EOFException(head.toString());
            }
            head.append((char) next);
        }
        Matcher length = Pattern.compile("(?i)content-length: (\\d+)").matcher(head);
        assertThat(length.find()).isTrue();
        int bytes = Integer.parseInt(length.group(1));
        answers.skipNBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "GET /metrics HTTP/9.9.9\r\n\r\n",
                "GET /metrics HTTP/1.1\r\nContent-Length: many\r\n\r\n",
                "GET /metrics HTTP/1.1\r\nno colon at all\r\n\r\n"
            })
    void badBytesCloseOneConnectionOnly(String bytes) throws Exception {
        try (Socket socket = connect()) {
            write(socket, bytes);

            assertThat(readToEnd(socket)).startsWith("HTTP/1.1 400 ");
        }
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void aRequestThatIsTooLongIsNotBuffered() throws Exception {
        for (String bytes : List.of(
                "GET /" + "x".repeat(10_000) + " HTTP/1.1\r\n\r\n",
                "GET /metrics HTTP/1.1\r\nX-Long: " + "x".repeat(20_000) + "\r\n\r\n",
                "POST /metrics HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(100_000))) {
            try (Socket socket = connect()) {
                assertThat(exchange(socket, bytes)).doesNotContain("200 OK");
            }
        }
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void randomBytesAffectNoOtherClient() throws Exception {
        long seed = 7_071;
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[1 + random.nextInt(3000)];
            random.nextBytes(bytes);
            if (random.nextBoolean()) { // the beginning of a valid request
                byte[] good = "GET /metrics HTTP/1.1\r\nHost: x\r\n".getBytes(StandardCharsets.US_ASCII);
                System.arraycopy(good, 0, bytes, 0, Math.min(good.length, bytes.length));
            }
            try (Socket socket = connect()) {
                socket.getOutputStream().write(bytes);
            }
        }

        assertThat(get("/health/live").statusCode()).as("seed %d", seed).isEqualTo(200);
    }

    @Test
    void beyondTheLimitTheOldestConnectionIsClosed() throws Exception {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 70; i++) {
                open.add(connect());
            }
            assertThat(get("/health/live").statusCode()).isEqualTo(200);
            assertThat(open.get(0).getInputStream().read()).isEqualTo(-1);
            write(open.get(69), "GET /health/live HTTP/1.0\r\n\r\n");
            assertThat(readToEnd(open.get(69))).startsWith("HTTP/1.1 200 OK");
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void isAnsweredWhileOthersSendHalfOfARequest() throws Exception {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                open.add(connect());
                write(open.get(i), "GET /met");
            }
            assertThat(get("/health/live").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void aPortThatIsInUseIsReported() {
        MetricsConfig same = new MetricsConfig("127.0.0.1", port.address().getPort(), Optional.empty());

        assertThatThrownBy(() -> MetricsPort.open(same, seen, Time.SYSTEM))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cannot listen on ")
                .hasMessageContaining("canal.metrics.pull.port");
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(port.address().getAddress(), port.address().getPort());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The answer, as far as there is one before the server closes the connection. */
    private static String exchange(Socket socket, String bytes) {
        try {
            write(socket, bytes);
            return readToEnd(socket);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String readToEnd(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        String query = path.replace("[", "%5B").replace("]", "%5D");
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + port.address().getPort() + query));
    }

    /** A server with one instance that does not run. */
    private static final class Seen implements Observed {
        @Override
        public AlarmCounts alarms() {
            return new AlarmCounts(3, 2, 1);
        }

        private volatile List<InstanceHealth> health = List.of();
        private volatile RuntimeException fault;
        private volatile Error error;
        /** What a page waits for. */
        private volatile CountDownLatch obstacle = new CountDownLatch(0);

        private volatile boolean isConfigurationRefused;
        private volatile @Nullable String remedy;
        private volatile List<DestinationStatus> destinations = List.of(status("shop", false, RateLimits.NONE));
        private final AtomicInteger pages = new AtomicInteger();

        @Override
        public List<DestinationStatus> destinations() {
            return destinations;
        }

        @Override
        public List<Instance> instances() {
            return List.of();
        }

        @Override
        public List<InstanceHealth> health() {
            pages.incrementAndGet();
            try {
                obstacle.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (fault != null) {
                throw fault;
            }
            if (error != null) {
                throw error;
            }
            return health;
        }

        @Override
        public String remedy(String destination, SourceFailure failure) {
            return remedy == null ? failure.remedy() : remedy;
        }

        @Override
        public boolean isConfigurationRefused() {
            return isConfigurationRefused;
        }

        @Override
        public Optional<TcpServer> clientPort() {
            return Optional.empty();
        }
    }
}
