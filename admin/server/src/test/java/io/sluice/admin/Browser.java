package io.sluice.admin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the API as the pages do: it keeps cookies, and sends the CSRF token. Every answer is compared with the contract. */
public final class Browser {
    /** A password that all users of tests may have. */
    public static final String PASSWORD = "correct horse battery";

    private final int port;
    private final CookieManager cookies = new CookieManager();
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(cookies).build();

    Browser(int port) {
        this.port = port;
    }

    /** An answer that agrees with the contract. */
    public record Answer(String call, HttpResponse<String> response) {
        public int status() {
            return response.statusCode();
        }

        public String body() {
            return response.body();
        }

        public JsonNode json() {
            return JsonMapper.shared().readTree(body());
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public Answer expect(int status) {
            if (status() != status) {
                throw new AssertionError(call + " answered " + status() + ", not " + status + ": " + body());
            }
            return this;
        }
    }

    public Answer get(String path) {
        return call("GET", path, null);
    }

    public Answer post(String path, String body) {
        return call("POST", path, body);
    }

    public Answer put(String path, String body) {
        return call("PUT", path, body);
    }

    public Answer patch(String path, String body) {
        return call("PATCH", path, body);
    }

    public Answer delete(String path) {
        return call("DELETE", path, null);
    }

    public Answer call(String method, String path, String body) {
        HttpRequest.Builder request =
                request(path).method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (!method.equals("GET")) {
            if (cookie("XSRF-TOKEN").isEmpty()) {
                get("/api/v2/login-options");
            }
            request.header("X-XSRF-TOKEN", cookie("XSRF-TOKEN").orElseThrow());
        }
        Answer answer = send(method + " " + path, request);
        Contract.check(method, path, answer.response());
        return answer;
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofMinutes(2));
    }

    /** Sends anything, and compares nothing. */
    public Answer send(String call, HttpRequest.Builder request) {
        try {
            return new Answer(call, client.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public Answer tryLogin(String name, String password) {
        return post(
                "/api/v2/session",
                JsonMapper.shared()
                        .createObjectNode()
                        .put("name", name)
                        .put("password", password)
                        .toString());
    }

    /**
     * The first administrator, logged in, with a password that was changed to {@link #PASSWORD}.
     *
     * @param initial the file with the initial password
     */
    static Browser administrator(int port, Path initial) throws IOException {
        Browser browser = new Browser(port);
        browser.changeInitial("admin", passwordIn(initial));
        return browser;
    }

    /** The password in a file for initial passwords. */
    static String passwordIn(Path initial) throws IOException {
        return Files.readAllLines(initial).stream()
                .filter(line -> line.startsWith("password: "))
                .map(line -> line.substring("password: ".length()))
                .findFirst()
                .orElseThrow();
    }

    private void changeInitial(String name, String initial) {
        login(name, initial);
        put(
                        "/api/v2/session/password",
                        "{\"oldPassword\": \"%s\", \"newPassword\": \"%s\"}".formatted(initial, PASSWORD))
                .expect(204);
    }

    public void login(String name, String password) {
        tryLogin(name, password).expect(200);
    }

    public Optional<String> cookie(String name) {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals(name))
                .map(HttpCookie::getValue)
                .findFirst();
    }

    public void setCookie(String name, String value) {
        URI all = URI.create("http://127.0.0.1:" + port + "/");
        List.copyOf(cookies.getCookieStore().getCookies()).stream()
                .filter(known -> known.getName().equals(name))
                .forEach(known -> cookies.getCookieStore().remove(all, known));
        HttpCookie cookie = new HttpCookie(name, value);
        cookie.setPath("/");
        cookie.setVersion(0);
        cookies.getCookieStore().add(all, cookie);
    }

    /** Creates a user who has changed the initial password, and returns their browser. */
    public Browser user(String name, String role) {
        String initial = post(
                        "/api/v2/users",
                        "{\"name\": \"%s\", \"displayName\": \"%s\", \"role\": \"%s\"}".formatted(name, name, role))
                .expect(201)
                .json()
                .path("password")
                .asString();
        Browser browser = new Browser(port);
        browser.changeInitial(name, initial);
        return browser;
    }
}
