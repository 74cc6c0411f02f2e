package io.sluice.testkit.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The answers of Prometheus on its port, as types. */
final class WebApi {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    private final int port;

    WebApi(int port) {
        this.port = port;
    }

    /** Whether it takes queries yet. */
    boolean isReady() {
        return get("/-/ready").statusCode() == 200;
    }

    List<Sample> query(String promql) {
        JsonNode data = data("/api/v1/query?query=" + URLEncoder.encode(promql, StandardCharsets.UTF_8));
        JsonNode result = data.path("result");
        String type = data.path("resultType").asText();
        return switch (type) {
            case "scalar" -> List.of(new Sample(Map.of(), value(result)));
            case "vector" -> {
                List<Sample> samples = new ArrayList<>();
                result.forEach(
                        series -> samples.add(new Sample(labels(series.path("metric")), value(series.path("value")))));
                yield samples;
            }
            default ->
                throw new IllegalArgumentException(
                        "gives a %s, and not one value of each series: %s".formatted(type, promql));
        };
    }

    List<TargetHealth> targets() {
        List<TargetHealth> targets = new ArrayList<>();
        data("/api/v1/targets?state=active")
                .path("activeTargets")
                .forEach(target -> targets.add(new TargetHealth(
                        target.path("labels").path("job").asText(),
                        URI.create(target.path("scrapeUrl").asText()),
                        TargetHealth.State.valueOf(
                                target.path("health").asText().toUpperCase(Locale.ROOT)),
                        target.path("lastError").asText())));
        return targets;
    }

    private JsonNode data(String path) {
        String body = get(path).body();
        try {
            JsonNode answer = JSON.readTree(body);
            if (!"success".equals(answer.path("status").asText())) {
                throw new IllegalArgumentException("Prometheus rejected %s: %s"
                        .formatted(path, answer.path("error").asText()));
            }
            return answer.path("data");
        } catch (IOException e) {
            throw new UncheckedIOException("Prometheus answers %s with %s".formatted(path, body), e);
        }
    }

    private HttpResponse<String> get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                .timeout(TIMEOUT)
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException("the Prometheus on port %d does not answer".formatted(port), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the Prometheus on port " + port, e);
        }
    }

    private static Map<String, String> labels(JsonNode metric) {
        Map<String, String> labels = new HashMap<>();
        metric.properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        return labels;
    }

    /** A time and a text, since JSON has neither infinity nor NaN. */
    private static double value(JsonNode timeAndText) {
        String text = timeAndText.path(1).asText();
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }
}
