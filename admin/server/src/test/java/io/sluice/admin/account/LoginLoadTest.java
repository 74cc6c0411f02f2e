package io.sluice.admin.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Many logins at the same time, of known and unknown users; and an identity provider that does not answer. */
class LoginLoadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    static Path data;

    private static ServerSocket silentProvider;
    private static RunningAdmin admin;
    private static Browser administrator;

    @BeforeAll
    static void start() throws Exception {
        silentProvider = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
        admin = RunningAdmin.start(data, "sluice.oidc.issuer=http://127.0.0.1:" + silentProvider.getLocalPort());
        administrator = admin.administrator();
    }

    @AfterAll
    static void stop() throws Exception {
        silentProvider.close();
        admin.close();
    }

    /** A login that was being checked while the password was set does not leave a session. */
    @Test
    void noLoginUnderWayOutlivesTheOldPassword() throws Exception {
        administrator.user("mallory", "operator");
        AtomicInteger logins = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> attempts = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                attempts.add(threads.submit(() -> {
                    while (admin.browser().tryLogin("mallory", Browser.PASSWORD).status() == 200) {
                        logins.incrementAndGet();
                    }
                }));
            }
            await().atMost(PATIENCE).until(() -> logins.get() >= 6);
            administrator.post("/api/v2/users/mallory/password", null).expect(200);
            for (Future<?> attempt : attempts) {
                attempt.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(administrator
                        .get("/api/v2/users/mallory/sessions")
                        .expect(200)
                        .json())
                .isEmpty();
    }

    /** However much is called, a user has to be authenticated again one day: an identity provider may not know them any more. */
    @Test
    void noSessionLastsForEver() {
        Browser old = administrator.user("oldie", "viewer");
        old.get("/api/v2/session").expect(200);
        admin.bean(JdbcClient.class)
                .sql("UPDATE SPRING_SESSION SET creation_time = creation_time - ? WHERE principal_name = 'oldie'")
                .param(Duration.ofHours(24).toMillis())
                .update();

        old.get("/api/v2/session").expect(401);
        assertThat(administrator.get("/api/v2/users/oldie/sessions").expect(200).json())
                .isEmpty();
        old.login("oldie", Browser.PASSWORD);
        old.get("/api/v2/session").expect(200);
    }

    /** A login at the provider can begin without authentication; all other requests must be served meanwhile. */
    @Test
    void aProviderThatDoesNotAnswerDoesNotHoldUpOtherUsers() throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        HttpRequest begin = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + admin.port() + "/oidc/start/provider"))
                .build();
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < 3 * OidcLimit.MOST; i++) {
            all.add(client.sendAsync(begin, BodyHandlers.ofString()));
        }

        await().atMost(PATIENCE)
                .until(() -> all.stream().filter(CompletableFuture::isDone).count() >= 2 * OidcLimit.MOST);
        assertThat(all.stream()
                        .filter(CompletableFuture::isDone)
                        .map(one -> one.join().headers().firstValue("Location").orElse("")))
                .allMatch(to -> to.endsWith("/login?error=oidc"));
        admin.browser().get("/api/v2/login-options").expect(200);
        administrator.get("/api/v2/session").expect(200);
        all.forEach(one -> one.cancel(true));

        silentProvider.close();
        await().atMost(PATIENCE)
                .until(() -> client.send(begin, BodyHandlers.ofString())
                        .headers()
                        .firstValue("Location")
                        .orElse("")
                        .endsWith("/login?error=oidc"));
    }
}
