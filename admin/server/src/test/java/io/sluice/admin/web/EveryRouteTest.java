package io.sluice.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.Browser;
import io.sluice.admin.Contract;
import io.sluice.admin.Contract.Operation;
import io.sluice.admin.RunningAdmin;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Every operation of the contract, called with each role and without a login. */
class EveryRouteTest {
    private static final List<String> ROLES = List.of("viewer", "operator", "administrator");

    @TempDir
    static Path data;

    private static RunningAdmin admin;
    private static final Map<String, Browser> BROWSERS = new LinkedHashMap<>();

    @BeforeAll
    static void start() {
        admin = RunningAdmin.start(data);
        Browser administrator = admin.administrator();
        BROWSERS.put("anonymous", admin.browser());
        for (String role : ROLES) {
            BROWSERS.put(role, administrator.user("the-" + role, role));
        }
        String initial = administrator
                .post("/api/v2/users", "{\"name\": \"new\", \"displayName\": \"\", \"role\": \"administrator\"}")
                .expect(201)
                .json()
                .path("password")
                .asString();
        Browser fresh = admin.browser();
        fresh.login("new", initial);
        BROWSERS.put("initial password", fresh);
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    static Stream<Operation> operations() {
        return Contract.operations().stream();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void isForItsRolesOnly(Operation operation) {
        if (operation.id().equals("login") || operation.id().equals("logout")) {
            return; // SessionTest
        }
        BROWSERS.forEach((caller, browser) -> {
            int rejected = rejection(operation.role(), caller);
            if (rejected == 0
                    && operation
                            .definition()
                            .path("responses")
                            .path("200")
                            .path("content")
                            .has("text/event-stream")) {
                return; // it does not end
            }
            Browser.Answer answer = callWithNothing(browser, operation);
            if (rejected == 0) {
                // The body is empty, so it fails if it needs one; but never for want of rights.
                assertThat(answer.status()).as(operation + " by " + caller).isNotIn(401, 403);
            } else {
                assertThat(answer.status()).as(operation + " by " + caller).isEqualTo(rejected);
                assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
            }
            assertThat(answer.body())
                    .as(operation + " by " + caller)
                    .doesNotContain("Exception", "at io.sluice", "\"trace\"");
        });
    }

    private static int rejection(String needed, String caller) {
        if (needed.equals("none")) {
            return 0;
        }
        if (caller.equals("anonymous")) {
            return 401;
        }
        if (needed.equals("any")) {
            return 0;
        }
        return ROLES.indexOf(caller) >= ROLES.indexOf(needed) ? 0 : 403;
    }

    private static Browser.Answer callWithNothing(Browser browser, Operation operation) {
        String path = operation
                .path()
                .replace("{id}", "4711")
                .replace("{version}", "4711")
                .replaceAll("\\{[a-z]+}", "nothing");
        var request = browser.request(path);
        if (!operation.method().equals("GET")) {
            if (browser.cookie("XSRF-TOKEN").isEmpty()) {
                browser.get("/api/v2/login-options");
            }
            request.header("X-XSRF-TOKEN", browser.cookie("XSRF-TOKEN").orElseThrow())
                    .header("Content-Type", "application/json");
        }
        request.method(operation.method(), BodyPublishers.noBody());
        return browser.send(operation.toString(), request);
    }

    /** What is not in the contract is not served, and what is in there is. */
    @Test
    void theMappingsAreThoseOfTheContract() {
        Set<String> mapped = new TreeSet<>();
        admin.bean(RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .keySet()
                .forEach(mapping -> {
                    for (String path : mapping.getPatternValues()) {
                        mapping.getMethodsCondition().getMethods().forEach(method -> mapped.add(method + " " + path));
                        if (mapping.getMethodsCondition().getMethods().isEmpty()) {
                            assertThat(path).isEqualTo("/error");
                        }
                    }
                });
        Set<String> contract = new TreeSet<>();
        operations().forEach(operation -> contract.add(operation.toString()));
        mapped.removeIf(mapping -> !mapping.contains(" /api/v2/"));
        assertThat(contract).containsAll(mapped);
        Set<String> missing = new TreeSet<>(contract);
        missing.removeAll(mapped);
        assertThat(missing).allMatch(EveryRouteTest::isOfTheFleet);
    }

    private static boolean isOfTheFleet(String operation) {
        return operation.matches(
                "[A-Z]+ /api/v2/(overview|history|events|servers|instances|config/connect|config/tables)(/.*)?");
    }

    @Test
    void everyOperationHasARole() {
        assertThat(Contract.operations())
                .allSatisfy(operation ->
                        assertThat(operation.role()).isIn("none", "any", "viewer", "operator", "administrator"));
    }

    @Test
    void pathsThatAreNoneAreRejected() {
        Browser browser = BROWSERS.get("administrator");
        for (String path : new String[] {
            "/api",
            "/api/",
            "/api/v2",
            "/api/v2/",
            "/api/v2/users/",
            "/api/v2/nothing",
            "/api/v3/users",
            "/api/v2/Users",
            "/error",
            "/api/v2/users/x/y/z",
        }) {
            assertThat(browser.send(path, browser.request(path).GET()).status())
                    .as(path)
                    .isEqualTo(404);
        }
        Browser anonymous = admin.browser();
        for (String path : new String[] {
            "/api/v2/../v2/users",
            "/api/v2/%2e%2e/v2/users",
            "//api/v2/users",
            "/api//v2/users",
            "/api/v2/users;a=b",
            "/api/v2%2fusers",
            "/api/v2/./users",
            "/x/../api/v2/users",
            "/api/v2/users%00",
            "/api/v2/users%0a",
            "/api\\v2\\users".replace("\\", "%5c")
        }) {
            assertThat(anonymous.send(path, anonymous.request(path).GET()).status())
                    .as(path)
                    .isIn(400, 401, 404);
        }
        assertThat(browser.send(
                                "PATCH",
                                browser.request("/api/v2/users")
                                        .header(
                                                "X-XSRF-TOKEN",
                                                browser.cookie("XSRF-TOKEN").orElseThrow())
                                        .method("PATCH", BodyPublishers.noBody()))
                        .status())
                .isEqualTo(405);
        assertThat(browser.send(
                                "OPTIONS",
                                browser.request("/api/v2/users")
                                        .header("Origin", "https://evil.example")
                                        .header("Access-Control-Request-Method", "GET")
                                        .method("OPTIONS", BodyPublishers.noBody()))
                        .response()
                        .headers()
                        .map()
                        .keySet())
                .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
    }

    @Test
    void namesWithPathTricksAreRejected() {
        Browser browser = BROWSERS.get("administrator");
        List<Browser.Answer> answers = new ArrayList<>();
        for (String name :
                new String[] {"..%2f..%2fetc%2fpasswd", "%2e%2e", "..", "a%2fb", "%5c", "a%00b", "a%0d%0ab", "%C3%A4"
                }) {
            for (String path : new String[] {
                "/api/v2/instances/%s/config", "/api/v2/users/%s/sessions", "/api/v2/instances/%s/config/history"
            }) {
                answers.add(
                        browser.send(name, browser.request(path.formatted(name)).GET()));
            }
            for (String path : new String[] {"/api/v2/templates/%s", "/api/v2/users/%s"}) {
                answers.add(browser.send(
                        name,
                        browser.request(path.formatted(name))
                                .header(
                                        "X-XSRF-TOKEN",
                                        browser.cookie("XSRF-TOKEN").orElseThrow())
                                .DELETE()));
            }
        }
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).as(answer.call()).isIn(400, 404, 405);
            assertThat(answer.body()).doesNotContain("Exception");
        });
    }

    @Test
    void headersProtectThePages() {
        Browser anonymous = admin.browser();
        for (String path : new String[] {"/", "/instances/shop", "/api/v2/login-options", "/api/v2/users"}) {
            Browser.Answer answer = anonymous.send(path, anonymous.request(path).GET());
            assertThat(answer.header("Content-Security-Policy"))
                    .contains("default-src 'self'", "frame-ancestors 'none'", "form-action 'self'");
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(answer.header("Server")).isEmpty();
            assertThat(answer.header("Strict-Transport-Security")).isEmpty(); // there is no TLS
        }
        assertThat(anonymous.get("/api/v2/login-options").header("Cache-Control"))
                .contains("no-store");
    }

    @Test
    void bodiesAreLimited() {
        Browser browser = BROWSERS.get("administrator");
        String large = "{\"kind\": \"server\", \"content\": \"" + "#".repeat(9_000_000) + "\"}";
        browser.post("/api/v2/config/check", large).expect(413);
        browser.send(
                        "without a length",
                        browser.request("/api/v2/config/check")
                                .header(
                                        "X-XSRF-TOKEN",
                                        browser.cookie("XSRF-TOKEN").orElseThrow())
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString(large))))
                .expect(413);
        browser.post("/api/v2/config/check", "{\"kind\": \"server\", \"content\": \"" + "#".repeat(1_100_000) + "\"}")
                .expect(400);
        browser.post("/api/v2/config/check", "{\"kind\": \"server\", \"content\": \"" + "#\\n".repeat(500_000) + "\"}")
                .expect(200);
        browser.post("/api/v2/session", "{\"name\": \"" + "x".repeat(20_000) + "\"}")
                .expect(413);
        assertThat(browser.post("/api/v2/session", "{\"name\": \"a\", \"passwort\": \"hidden\"}")
                        .expect(400)
                        .body())
                .contains("passwort")
                .doesNotContain("hidden");
        browser.post("/api/v2/session", "{").expect(400);
        browser.post("/api/v2/session", "null").expect(400);
        browser.post("/api/v2/users", "{\"name\": \"a/b\", \"displayName\": \"\", \"role\": \"viewer\"}")
                .expect(400);
        browser.post("/api/v2/users", "{\"name\": \"ab\", \"displayName\": \"\", \"role\": \"root\"}")
                .expect(400);
    }

    /** META-INF/resources of the tests replaces the jar of the pages. */
    @Test
    void pagesAreServedAndNothingElse() {
        Browser anonymous = admin.browser();
        for (String path : new String[] {"/", "/index.html", "/instances/shop.v1", "/login?error=role"}) {
            Browser.Answer page =
                    anonymous.send(path, anonymous.request(path).GET()).expect(200);
            assertThat(page.body()).as(path).contains("<title>pages</title>");
            assertThat(page.header("Cache-Control")).contains("no-cache");
        }
        Browser.Answer asset = anonymous
                .send("asset", anonymous.request("/assets/app-4711.js").GET())
                .expect(200);
        assertThat(asset.header("Cache-Control")).contains("immutable", "max-age=31536000");
        anonymous.send("no asset", anonymous.request("/assets/other.js").GET()).expect(404);
        anonymous.send("the API", anonymous.request("/api/other").GET()).expect(401);
        for (String path : new String[] {
            "/..%2f..%2fapplication.yml",
            "/%2e%2e/application.yml",
            "/assets/..%2f..%2fapplication.yml",
            "/META-INF/spring.factories",
            "/application.yml",
            "/WEB-INF/web.xml"
        }) {
            Browser.Answer answer = anonymous.send(path, anonymous.request(path).GET());
            assertThat(answer.body()).as(path).doesNotContain("sluice-admin", "FailureAnalyzer");
        }
        anonymous
                .send("a change", anonymous.request("/index.html").POST(BodyPublishers.noBody()))
                .expect(403);
    }
}
