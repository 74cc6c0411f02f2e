package io.sluice.admin.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import io.sluice.admin.fleet.stream.BrowserStreams;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

class OidcTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    static Path data;

    private static IdentityProvider provider;
    private static RunningAdmin admin;
    private static Browser administrator;

    @BeforeAll
    static void start() throws Exception {
        provider = IdentityProvider.start("sluice-admin", "provider-secret");
        admin = RunningAdmin.start(
                data,
                "sluice.oidc.issuer=" + provider.issuer(),
                "sluice.oidc.client-secret=provider-secret",
                "sluice.oidc.name=Company",
                "sluice.oidc.role-claim=realm.roles",
                "sluice.oidc.roles.administrator=sluice-admins,root",
                "sluice.oidc.roles.viewer=staff");
        administrator = admin.administrator();
    }

    @AfterAll
    static void stop() {
        admin.close();
        provider.close();
    }

    /** Goes where the provider leads; returns where the browser is at the end. */
    private static String login(Browser browser) {
        String atProvider = browser.send(
                        "start", browser.request("/oidc/start/provider").GET())
                .expect(302)
                .header("Location");
        assertThat(atProvider)
                .startsWith(provider.issuer() + "/authorize?")
                .contains("code_challenge=", "state=", "nonce=");
        String back = browser.send("provider", HttpRequest.newBuilder(URI.create(atProvider)))
                .expect(302)
                .header("Location");
        URI callback = URI.create(back);
        return browser.send(
                        "callback",
                        browser.request(callback.getPath() + "?" + callback.getRawQuery())
                                .GET())
                .expect(302)
                .header("Location");
    }

    @Test
    void whoIsKnownThereIsAUserHere() {
        assertThat(admin.browser()
                        .get("/api/v2/login-options")
                        .expect(200)
                        .json()
                        .path("oidc")
                        .path("url")
                        .asString())
                .isEqualTo("/oidc/start/provider");
        provider.user(Map.of(
                "preferred_username", "olga", "name", "Olga O.", "realm", Map.of("roles", List.of("staff", "root"))));
        Browser olga = admin.browser();
        assertThat(login(olga)).endsWith("/");
        assertThat(olga.get("/api/v2/session").expect(200).json().path("role").asString())
                .isEqualTo("administrator");
        assertThat(olga.get("/api/v2/session").json().path("source").asString()).isEqualTo("oidc");
        olga.get("/api/v2/users").expect(200);
        olga.put("/api/v2/session/password", "{\"oldPassword\": \"x\", \"newPassword\": \"0123456789\"}")
                .expect(400);
        administrator.post("/api/v2/users/olga/password", null).expect(409);
        assertThat(admin.browser().tryLogin("olga", "").status()).isEqualTo(401);

        provider.user(Map.of("preferred_username", "olga", "realm", Map.of("roles", "staff")));
        Browser again = admin.browser();
        login(again);
        assertThat(again.get("/api/v2/session").json().path("role").asString()).isEqualTo("viewer");
        olga.get("/api/v2/users").expect(403); // the older session, too

        administrator
                .put("/api/v2/users/olga", "{\"displayName\": \"O\", \"role\": \"viewer\", \"disabled\": true}")
                .expect(200);
        assertThat(login(admin.browser())).contains("error=disabled");
    }

    /** What it shows may be more than the new role may see. */
    @Test
    void aLoginWithAnotherRoleEndsTheStreamsOfTheUser() {
        provider.user(Map.of("preferred_username", "sven", "realm", Map.of("roles", "root")));
        Browser sven = admin.browser();
        login(sven);
        CompletableFuture<?> stream = openStream(sven);

        provider.user(Map.of("preferred_username", "sven", "realm", Map.of("roles", "staff")));
        login(admin.browser());

        await().atMost(PATIENCE).until(stream::isDone);
        assertThat(sven.get("/api/v2/session").expect(200).json().path("role").asString())
                .isEqualTo("viewer");
    }

    @Test
    void aLoginWithoutARoleEndsTheSessionsOfTheUser() {
        provider.user(Map.of("preferred_username", "tina", "realm", Map.of("roles", "root")));
        Browser tina = admin.browser();
        login(tina);
        CompletableFuture<?> stream = openStream(tina);

        provider.user(Map.of("preferred_username", "tina", "realm", Map.of("roles", "guests")));
        assertThat(login(admin.browser())).contains("error=role");
        assertThat(login(admin.browser())).contains("error=role");

        tina.get("/api/v2/session").expect(401);
        await().atMost(PATIENCE).until(stream::isDone);
        assertThat(admin.bean(JdbcClient.class)
                        .sql(
                                "SELECT action || ' ' || after_text FROM sluice_audit WHERE user_name = 'tina' ORDER BY id")
                        .query(String.class)
                        .list())
                .endsWith("session.end all sessions: the identity provider gives no role")
                .hasSize(3);
    }

    /** A stream that is open; it is done when the stream has ended. */
    private static CompletableFuture<?> openStream(Browser browser) {
        BrowserStreams streams = admin.bean(BrowserStreams.class);
        await().atMost(PATIENCE).until(() -> streams.size() == 0);
        CompletableFuture<?> stream = HttpClient.newHttpClient()
                .sendAsync(
                        browser.request("/api/v2/events")
                                .header(
                                        "Cookie",
                                        "SLUICE_ADMIN="
                                                + browser.cookie("SLUICE_ADMIN").orElseThrow())
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
        await().atMost(PATIENCE).until(() -> streams.size() == 1);
        return stream;
    }

    @Test
    void whoHasNoRoleThereHasNoneHere() {
        provider.user(Map.of("preferred_username", "paul", "realm", Map.of("roles", List.of("guests"))));
        Browser paul = admin.browser();
        assertThat(login(paul)).contains("error=role");
        paul.get("/api/v2/session").expect(401);
    }

    @Test
    void nobodyBecomesAUserWithAPassword() {
        provider.user(Map.of("preferred_username", "admin", "realm", Map.of("roles", List.of("root"))));
        Browser attacker = admin.browser();
        assertThat(login(attacker)).contains("error=taken");
        attacker.get("/api/v2/session").expect(401);
        provider.user(Map.of("preferred_username", "a/../b", "realm", Map.of("roles", List.of("root"))));
        assertThat(login(admin.browser())).contains("error=name");
    }

    @Test
    void aTokenForAnotherClientIsRejected() {
        provider.user(Map.of("preferred_username", "quinn", "realm", Map.of("roles", List.of("root"))));
        for (IdentityProvider.Lie lie : List.of(
                IdentityProvider.Lie.AUDIENCE,
                IdentityProvider.Lie.KEY,
                IdentityProvider.Lie.ISSUER,
                IdentityProvider.Lie.NONCE,
                IdentityProvider.Lie.EXPIRED)) {
            provider.lie(lie);
            Browser quinn = admin.browser();
            assertThat(login(quinn)).as(lie.toString()).contains("error=oidc");
            quinn.get("/api/v2/session").expect(401);
        }
        provider.lie(IdentityProvider.Lie.NONE);
    }

    /** Otherwise an attacker could log in another browser with an account of its own. */
    @Test
    void theAnswerForOneBrowserIsNothingForAnother() {
        provider.user(Map.of("preferred_username", "rita", "realm", Map.of("roles", List.of("staff"))));
        Browser rita = admin.browser();
        String atProvider =
                rita.send("start", rita.request("/oidc/start/provider").GET()).header("Location");
        URI back = URI.create(rita.send("provider", HttpRequest.newBuilder(URI.create(atProvider)))
                .header("Location"));
        Browser other = admin.browser();
        assertThat(other.send(
                                "callback",
                                other.request(back.getPath() + "?" + back.getRawQuery())
                                        .GET())
                        .header("Location"))
                .contains("error=oidc");
        other.get("/api/v2/session").expect(401);
    }
}
