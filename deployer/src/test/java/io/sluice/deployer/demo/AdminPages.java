package io.sluice.deployer.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;

/**
 * The pages of the admin server, which shows the demo's server. It is unpacked and started, and gets a password and the server's address by
 * the calls that its pages make. For one thread.
 */
final class AdminPages {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String USER = "admin";
    private static final int PASSWORD_LENGTH = 12;
    private static final String LETTERS = "abcdefghkmnpqrstuvwxyz23456789";

    private final int port = FreePorts.next();
    private final Path home;
    private final String password;
    private final CookieManager cookies = new CookieManager();
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(cookies).build();

    /**
     * Names the place of an admin server that was not started yet.
     *
     * @param home where its package is unpacked
     */
    AdminPages(Path home) {
        this.home = home;
        StringBuilder letters = new StringBuilder();
        new SecureRandom()
                .ints(PASSWORD_LENGTH, 0, LETTERS.length())
                .forEach(letter -> letters.append(LETTERS.charAt(letter)));
        this.password = letters.toString();
    }

    /** The command that starts it. */
    ProcessBuilder startup() {
        return new ProcessBuilder(home.resolve("bin/startup.sh").toString(), "--server.port=" + port);
    }

    /** The command that stops it. */
    ProcessBuilder stop() {
        return new ProcessBuilder(home.resolve("bin/stop.sh").toString());
    }

    /** Where the instance of the demo is seen. */
    String url() {
        return "http://127.0.0.1:" + port + "/instances/shop";
    }

    String user() {
        return USER;
    }

    String password() {
        return password;
    }

    /**
     * Sets the password and adds a server.
     *
     * @param controlPort the port of the server's control API
     * @param token of an administrator of that API
     * @throws IOException if the admin server rejects a call
     */
    void add(int controlPort, String token) throws IOException, InterruptedException {
        String initial = Files.readString(home.resolve("data/initial-password"))
                .strip()
                .replaceFirst("(?s).*\\s", ""); // a line with the name and the password
        call("GET", "/api/v2/login-options", Map.of());
        call("POST", "/api/v2/session", Map.of("name", USER, "password", initial));
        call("PUT", "/api/v2/session/password", Map.of("oldPassword", initial, "newPassword", password));
        call(
                "POST",
                "/api/v2/servers",
                Map.of(
                        "name",
                        "demo",
                        "ip",
                        "127.0.0.1",
                        "adminPort",
                        11110,
                        "controlUrl",
                        "http://127.0.0.1:" + controlPort,
                        "controlToken",
                        token));
    }

    /** Whether the pages show that the instance runs and has delivered rows; they do not know it before the server has reported it. */
    boolean showsRows() throws IOException, InterruptedException {
        HttpResponse<String> answer = send("GET", "/api/v2/instances/shop", Map.of());
        if (answer.statusCode() == 404) {
            return false;
        }
        JsonNode instance = JSON.readTree(bodyOf(answer));
        return instance.path("summary").path("state").asText().equals("running")
                && instance.path("deliveredRows").asLong() > 0;
    }

    private String call(String method, String path, Map<String, Object> body) throws IOException, InterruptedException {
        return bodyOf(send(method, path, body));
    }

    private HttpResponse<String> send(String method, String path, Map<String, Object> body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
        for (HttpCookie cookie : cookies.getCookieStore().getCookies()) {
            if (cookie.getName().equals("XSRF-TOKEN")) {
                request.header("X-XSRF-TOKEN", cookie.getValue());
            }
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String bodyOf(HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() >= 300) {
            throw new IOException("the admin server answers %s %s with %d: %s"
                    .formatted(
                            answer.request().method(),
                            answer.request().uri().getPath(),
                            answer.statusCode(),
                            answer.body()));
        }
        return answer.body();
    }
}
