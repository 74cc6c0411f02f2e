package io.sluice.admin.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SessionTest {
    @TempDir
    static Path data;

    private static RunningAdmin admin;
    private static Browser administrator;

    @BeforeAll
    static void start() {
        admin = RunningAdmin.start(data);
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    @Test
    @Order(1)
    void theInitialPasswordMustBeChangedBeforeAnythingElse() throws Exception {
        Path file = data.resolve("initial-password");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("admin.db"))))
                .isEqualTo("rw-------");
        Browser browser = admin.browser();
        browser.login("admin", admin.initialPassword());
        assertThat(browser.get("/api/v2/session")
                        .expect(200)
                        .json()
                        .path("mustChangePassword")
                        .asBoolean())
                .isTrue();
        assertThat(browser.get("/api/v2/users").expect(403).body()).contains("Change it before anything else");

        administrator = admin.administrator();

        assertThat(file).doesNotExist();
        administrator.get("/api/v2/users").expect(200);
        browser.get("/api/v2/session").expect(401); // the other session has ended
    }

    @Test
    @Order(2)
    void aLoginMakesANewSessionAndANewCsrfToken() {
        Browser browser = admin.browser();
        browser.get("/api/v2/login-options").expect(200);
        String csrf = browser.cookie("XSRF-TOKEN").orElseThrow();
        browser.login("admin", Browser.PASSWORD);
        String first = browser.cookie("SLUICE_ADMIN").orElseThrow();
        assertThat(browser.cookie("XSRF-TOKEN").orElseThrow()).isNotEqualTo(csrf);
        browser.get("/api/v2/session").expect(200);
        browser.login("admin", Browser.PASSWORD);
        assertThat(browser.cookie("SLUICE_ADMIN").orElseThrow()).isNotEqualTo(first);
        Browser old = admin.browser();
        old.setCookie("SLUICE_ADMIN", first);
        old.get("/api/v2/session").expect(401);
    }

    @Test
    void aSessionThatAnotherUserHasChosenIsNotUsed() {
        Browser victim = admin.browser();
        victim.setCookie("SLUICE_ADMIN", "Zml4ZWQtYnktYW4tYXR0YWNrZXI");
        victim.login("admin", Browser.PASSWORD);

        Browser attacker = admin.browser();
        attacker.setCookie("SLUICE_ADMIN", "Zml4ZWQtYnktYW4tYXR0YWNrZXI");
        attacker.get("/api/v2/session").expect(401);
    }

    @Test
    void theCookieOfASessionIsForThisServerOnly() {
        Browser browser = admin.browser();
        browser.get("/api/v2/login-options");
        String cookie = browser
                .send(
                        "login",
                        browser.request("/api/v2/session")
                                .header("Content-Type", "application/json")
                                .header(
                                        "X-XSRF-TOKEN",
                                        browser.cookie("XSRF-TOKEN").orElseThrow())
                                .POST(BodyPublishers.ofString(
                                        "{\"name\": \"admin\", \"password\": \"" + Browser.PASSWORD + "\"}")))
                .expect(200)
                .response()
                .headers()
                .allValues("Set-Cookie")
                .stream()
                .filter(header -> header.startsWith("SLUICE_ADMIN="))
                .findFirst()
                .orElseThrow();
        assertThat(cookie).contains("HttpOnly", "SameSite=Strict", "Path=/").doesNotContain("Domain");
    }

    @Test
    void withoutTheTokenNothingIsChanged() {
        Browser browser = admin.browser();
        browser.login("admin", Browser.PASSWORD);
        assertThat(browser.send("no token", browser.request("/api/v2/session").DELETE())
                        .expect(403)
                        .body())
                .contains("X-XSRF-TOKEN");
        browser.send(
                        "a wrong one",
                        browser.request("/api/v2/session")
                                .header("X-XSRF-TOKEN", "00000000-0000-0000-0000-000000000000")
                                .DELETE())
                .expect(403);
        browser.send(
                        "as a parameter",
                        browser.request("/api/v2/session?_csrf="
                                        + browser.cookie("XSRF-TOKEN").orElseThrow())
                                .DELETE())
                .expect(403);
        Browser anonymous = admin.browser();
        anonymous
                .send(
                        "a login without a token",
                        anonymous
                                .request("/api/v2/session")
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{\"name\": \"admin\", \"password\": \"x\"}")))
                .expect(403);
        browser.get("/api/v2/session").expect(200);
        browser.delete("/api/v2/session").expect(204);
        browser.get("/api/v2/session").expect(401);
    }

    /** A page of another port, or of another host of the site, can choose the cookie of the token and submit a form; the browser adds the session. */
    @Test
    void aFormOfAnotherPageCannotSendTheTokenAsAParameter() {
        Browser victim = administrator.user("ivan", "operator");
        String chosen = "11111111-2222-3333-4444-555555555555";
        victim.setCookie("XSRF-TOKEN", chosen);
        for (String parameter : List.of(chosen, masked(chosen))) {
            assertThat(victim.send(
                                    "a form",
                                    victim.request("/api/v2/instances/shop/actions/stop?_csrf=" + parameter)
                                            .header("Content-Type", "application/x-www-form-urlencoded")
                                            .POST(BodyPublishers.noBody()))
                            .expect(403)
                            .body())
                    .contains("X-XSRF-TOKEN");
        }
    }

    @Test
    void aWriteOfAPageOfAnotherOriginIsRejectedAlsoWithTheToken() {
        Browser judy = administrator.user("judy", "viewer");
        String own = "http://127.0.0.1:" + admin.port();
        for (String site : List.of("same-site", "cross-site", "")) {
            assertThat(logout(judy, "Sec-Fetch-Site", site, "Origin", own)
                            .expect(403)
                            .body())
                    .contains("Sec-Fetch-Site");
        }
        for (String origin : List.of(
                "http://127.0.0.1:3000",
                "http://127.0.0.1",
                "http://localhost:" + admin.port(),
                "https://other.example.com",
                "null",
                "no origin")) {
            assertThat(logout(judy, "Origin", origin).expect(403).body()).contains("Origin");
        }
        judy.get("/api/v2/session").expect(200);

        logout(judy, "Origin", own).expect(204);
    }

    /** Then the host of the request is that of the proxy's choice. */
    @Test
    void aWriteOfTheOwnPagesIsAcceptedBehindAProxyThatChangesTheHost() {
        Browser kim = administrator.user("kim", "viewer");
        logout(kim, "Sec-Fetch-Site", "same-origin", "Origin", "https://admin.example.com")
                .expect(204);
        kim.login("kim", Browser.PASSWORD);
        logout(kim, "Sec-Fetch-Site", "none").expect(204);
    }

    private static Browser.Answer logout(Browser browser, String... headers) {
        return browser.send(
                "a logout",
                browser.request("/api/v2/session")
                        .header("X-XSRF-TOKEN", browser.cookie("XSRF-TOKEN").orElseThrow())
                        .headers(headers)
                        .DELETE());
    }

    /** As Spring Security writes a token into forms: random bytes, and the token XOR these. */
    private static String masked(String token) {
        byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
        byte[] masked = new byte[2 * bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            masked[i] = (byte) (7 * i);
            masked[bytes.length + i] = (byte) (bytes[i] ^ masked[i]);
        }
        return Base64.getUrlEncoder().encodeToString(masked);
    }

    @Test
    void sessionsAreListedAndEnded() {
        Browser carol = administrator.user("carol", "viewer");
        Browser other = admin.browser();
        other.login("carol", Browser.PASSWORD);
        assertThat(carol.get("/api/v2/session/all").expect(200).json()).hasSize(2);
        String id = "";
        for (var session : carol.get("/api/v2/session/all").json()) {
            assertThat(session.path("from").asString()).isEqualTo("127.0.0.1");
            id = session.path("current").asBoolean() ? id : session.path("id").asString();
        }
        assertThat(other.cookie("SLUICE_ADMIN").orElseThrow()).doesNotContain(id);
        Browser dave = administrator.user("dave", "viewer");
        dave.delete("/api/v2/session/all/" + id).expect(404);

        carol.delete("/api/v2/session/all/" + id).expect(204);

        other.get("/api/v2/session").expect(401);
        carol.get("/api/v2/session").expect(200);
        administrator.delete("/api/v2/users/carol/sessions").expect(204);
        carol.get("/api/v2/session").expect(401);
    }

    @Test
    void rightsThatAreTakenAreLostAtOnce() {
        Browser erin = administrator.user("erin", "administrator");
        erin.get("/api/v2/users").expect(200);
        administrator
                .put("/api/v2/users/erin", "{\"displayName\": \"Erin\", \"role\": \"viewer\"}")
                .expect(200);
        erin.get("/api/v2/users").expect(403);
        erin.get("/api/v2/clusters").expect(200);
        administrator
                .put("/api/v2/users/erin", "{\"displayName\": \"Erin\", \"role\": \"viewer\", \"disabled\": true}")
                .expect(200);
        erin.get("/api/v2/clusters").expect(401);
        assertThat(admin.browser()
                        .tryLogin("erin", Browser.PASSWORD)
                        .expect(401)
                        .body())
                .isEqualTo(admin.browser()
                        .tryLogin("nobody", Browser.PASSWORD)
                        .expect(401)
                        .body());

        Browser frank = administrator.user("frank", "operator");
        administrator.delete("/api/v2/users/frank").expect(204);
        frank.get("/api/v2/clusters").expect(401);
        administrator
                .post("/api/v2/users", "{\"name\": \"frank\", \"displayName\": \"F\", \"role\": \"operator\"}")
                .expect(201);
        frank.get("/api/v2/clusters").expect(401); // another frank
    }

    /** An administrator edits the name while another one disables the user, and then takes a role away. */
    @Test
    void whatIsNotGivenOfAUserStays() {
        administrator.user("heidi", "operator");
        String path = "/api/v2/users/heidi";
        administrator.put(path, "{\"disabled\": true}").expect(200);

        JsonNode renamed = administrator
                .put(path, "{\"displayName\": \"Heidi H.\"}")
                .expect(200)
                .json();

        assertThat(renamed.path("disabled").asBoolean()).isTrue();
        assertThat(renamed.path("role").asString()).isEqualTo("operator");
        administrator.put(path, "{\"role\": \"viewer\"}").expect(200);
        JsonNode enabled =
                administrator.put(path, "{\"disabled\": false}").expect(200).json();
        assertThat(enabled.path("disabled").asBoolean()).isFalse();
        assertThat(enabled.path("role").asString()).isEqualTo("viewer");
        assertThat(enabled.path("displayName").asString()).isEqualTo("Heidi H.");
    }

    @Test
    void thereIsAlwaysAnAdministrator() {
        assertThat(administrator
                        .put("/api/v2/users/admin", "{\"displayName\": \"A\", \"role\": \"viewer\"}")
                        .expect(409)
                        .body())
                .contains("last administrator");
        administrator.delete("/api/v2/users/admin").expect(409);
        administrator
                .put("/api/v2/users/ADMIN", "{\"displayName\": \"A\", \"role\": \"administrator\", \"disabled\": true}")
                .expect(409);
        administrator
                .post("/api/v2/users", "{\"name\": \"Admin\", \"displayName\": \"\", \"role\": \"viewer\"}")
                .expect(409);
    }

    @Test
    void passwordsThatAreNoneAreRejected() {
        Browser grace = administrator.user("grace", "viewer");
        for (String bad : new String[] {"short", Browser.PASSWORD, "x".repeat(73), "é".repeat(40)}) {
            grace.put(
                            "/api/v2/session/password",
                            "{\"oldPassword\": \"%s\", \"newPassword\": \"%s\"}".formatted(Browser.PASSWORD, bad))
                    .expect(400);
        }
        grace.put("/api/v2/session/password", "{\"oldPassword\": \"wrong\", \"newPassword\": \"good enough password\"}")
                .expect(400);
        String reset = administrator
                .post("/api/v2/users/grace/password", null)
                .expect(200)
                .json()
                .path("password")
                .asString();
        grace.get("/api/v2/session").expect(401);
        grace.login("grace", reset);
        assertThat(grace.get("/api/v2/session")
                        .json()
                        .path("mustChangePassword")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void nothingSecretIsInTheDatabaseOrTheAuditLog() {
        String all = admin.bean(JdbcClient.class)
                .sql(
                        "SELECT name || display_name || password_hash FROM sluice_user UNION ALL"
                                + " SELECT action || target || coalesce(before_text, '') || coalesce(after_text, '') FROM sluice_audit")
                .query(String.class)
                .list()
                .toString();
        assertThat(all).contains("{bcrypt}$2").doesNotContain(Browser.PASSWORD);
        assertThat(administrator.get("/api/v2/users").body()).doesNotContain("bcrypt");
    }

    /** The last test, since the address has to wait after it. */
    @Test
    @Order(Integer.MAX_VALUE)
    void whoGuessesHasToWait() {
        Browser browser = admin.browser();
        int tries = 0;
        long begin = System.nanoTime();
        Browser.Answer answer = browser.tryLogin("heidi", "wrong");
        while (answer.status() == 401 && tries++ < 50) {
            answer = browser.tryLogin("heidi", "wrong");
        }
        answer.expect(429);
        assertThat(Integer.parseInt(answer.header("Retry-After"))).isBetween(1, 300);
        // The waits double from a second on, and a slow machine may wait for some of them by its own.
        long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
        int waited = Long.SIZE - Long.numberOfLeadingZeros(seconds);
        assertThat(tries).isLessThan(AttemptLimit.FREE_OF_USER + 2 + waited);
    }
}
