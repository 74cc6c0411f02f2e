package io.sluice.deployer.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BiPredicate;
import javax.net.ssl.SSLException;

/** Calls the control API of a server, which runs here or elsewhere. For one thread. */
final class ControlClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int UNAUTHORIZED = 401;
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    /** As long as the server may take to stop an instance, and some more. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(90);

    /** As long as the server may take to find a position in the binlog of a source, and more. */
    static final Duration SEARCH_LIMIT = Duration.ofMinutes(30);

    private final HttpClient http;
    private final URI base;
    private final String token;
    private final String tokenPlace;
    private final String unreachableRemedy;

    /**
     * Makes one; it connects at the first call.
     *
     * @param http has the trust store, if the server's certificate needs another one than Java's
     * @param base of the server, such as {@code http://127.0.0.1:11113}
     * @param token empty for none, where a certificate replaces it
     * @param tokenPlace where the token is, or would be: for messages
     * @param unreachableRemedy what to do if nothing answers
     */
    ControlClient(HttpClient.Builder http, URI base, String token, String tokenPlace, String unreachableRemedy) {
        this.http = http.version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_LIMIT)
                .build();
        this.base = base;
        this.token = token;
        this.tokenPlace = tokenPlace;
        this.unreachableRemedy = unreachableRemedy;
    }

    /** One part of a path. */
    static String part(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Calls, and waits for the answer.
     *
     * @param method of HTTP
     * @param path below {@code /api/v1}
     * @param body what to send; empty for nothing
     * @throws ControlCallException if the server cannot be reached, or answers by an error
     */
    JsonNode call(String method, String path, ObjectNode body) throws ControlCallException {
        return call(method, path, body, ANSWER_LIMIT);
    }

    /**
     * Sends a request for which the answer may take longer or shorter than usual.
     *
     * @param limit how long the answer may take
     */
    JsonNode call(String method, String path, ObjectNode body, Duration limit) throws ControlCallException {
        HttpRequest.Builder request = request(path).timeout(limit);
        if (body.isEmpty()) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json").method(method, BodyPublishers.ofString(body.toString()));
        }
        HttpResponse<String> answer = send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw failure(answer.statusCode(), answer.body());
        }
        try {
            return JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new ControlCallException(
                    "what answers at " + base + " is no control API of this server: " + e.getOriginalMessage());
        }
    }

    /** Calls without a body; see {@link #call(String, String, ObjectNode)}. */
    JsonNode call(String method, String path) throws ControlCallException {
        return call(method, path, JSON.createObjectNode());
    }

    /**
     * Reads a text.
     *
     * @throws ControlCallException as {@link #call(String, String, ObjectNode)}
     */
    String text(String path) throws ControlCallException {
        HttpResponse<String> answer =
                send(request(path).timeout(ANSWER_LIMIT).GET().build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
        if (answer.statusCode() != 200) {
            throw failure(answer.statusCode(), answer.body());
        }
        return answer.body();
    }

    /**
     * Follows events until the server ends them.
     *
     * @param each is given the name and the data of an event, and returns false to end
     * @throws ControlCallException as {@link #call(String, String, ObjectNode)}, and if the connection breaks
     */
    void follow(String path, BiPredicate<String, JsonNode> each) throws ControlCallException {
        HttpResponse<InputStream> answer = send(request(path).GET().build(), BodyHandlers.ofInputStream());
        try (InputStream body = answer.body();
                BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            if (answer.statusCode() != 200) {
                throw failure(answer.statusCode(), new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
            String name = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("data: ")
                        && !each.test(name, JSON.readTree(line.substring("data: ".length())))) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new ControlCallException("the connection to " + base + " broke: " + e.getMessage());
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve("/api/v1" + path));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body)
            throws ControlCallException {
        try {
            return http.send(request, body);
        } catch (IOException e) {
            if (!request.method().equals("GET") && mayHaveArrived(e)) {
                throw new ControlCallException(
                        "%s has not answered%s, and may have carried the command out, or may do so yet: see sluice.sh status, and sluice.sh cursor show after a change of a cursor, before you repeat it"
                                .formatted(
                                        base,
                                        e instanceof HttpTimeoutException
                                                ? " for %d s"
                                                        .formatted(request.timeout()
                                                                .orElse(ANSWER_LIMIT)
                                                                .toSeconds())
                                                : ": " + reason(e)));
            }
            throw new ControlCallException(
                    "the control API cannot be reached at %s: %s; %s".formatted(base, reason(e), unreachableRemedy));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ControlCallException("interrupted");
        }
    }

    /** Whether a failure is not one of the connection, or of TLS. */
    private static boolean mayHaveArrived(IOException failure) {
        return !(failure instanceof ConnectException
                || failure instanceof HttpConnectTimeoutException
                || failure instanceof SSLException);
    }

    private static String reason(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return "the name of the host is not known";
            }
            if (cause.getMessage() != null) {
                return cause.getMessage();
            }
        }
        return failure instanceof ConnectException
                ? "nothing accepts connections there"
                : failure.getClass().getSimpleName();
    }

    private ControlCallException failure(int status, String body) {
        if (status == UNAUTHORIZED) {
            return new ControlCallException(
                    "%s (HTTP 401). The token is taken from --token-file, else $SLUICE_CONTROL_TOKEN, else conf/control-token; `sluice.sh token add NAME --role ROLE --save`, on the machine of the server, makes one and writes it there"
                            .formatted(
                                    token.isEmpty()
                                            ? "%s needs a token, and there is none in %s".formatted(base, tokenPlace)
                                            : "%s does not accept the token of %s".formatted(base, tokenPlace)));
        }
        String detail = body;
        try {
            detail = JSON.readTree(body).path("detail").asText(body);
        } catch (JsonProcessingException e) {
            // what answers is no server of ours, so its own words are shown
        }
        return new ControlCallException("%s (HTTP %d)".formatted(detail, status));
    }
}
