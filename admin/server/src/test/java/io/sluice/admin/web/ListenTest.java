package io.sluice.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admin.RunningAdmin;
import io.sluice.admin.problem.StartProblem;
import io.sluice.testkit.tls.Certificates;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListenTest {
    @TempDir
    Path data;

    @Test
    void withTlsItListensEverywhereAndCookiesAreSecure() throws Exception {
        assertThatThrownBy(
                        () -> RunningAdmin.start(data, "server.address=0.0.0.0").close())
                .hasRootCauseInstanceOf(StartProblem.class);
        Certificates certificates = Certificates.make(data, "dns:localhost,ip:127.0.0.1");
        try (RunningAdmin admin = RunningAdmin.start(
                data,
                "server.address=0.0.0.0",
                "server.ssl.certificate=" + certificates.certificate(),
                "server.ssl.certificate-private-key=" + certificates.key())) {
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(trusting(certificates.certificate()))
                    .build();
            String base = "https://localhost:" + admin.port();
            HttpResponse<String> options = client.send(
                    HttpRequest.newBuilder(URI.create(base + "/api/v2/login-options"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(options.headers().firstValue("Strict-Transport-Security").orElse(""))
                    .contains("max-age=31536000");
            String cookie = options.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).startsWith("XSRF-TOKEN=").contains("Secure", "SameSite=Strict");
            String token = cookie.replaceFirst("XSRF-TOKEN=([^;]*);.*", "$1");
            HttpResponse<String> login = client.send(
                    HttpRequest.newBuilder(URI.create(base + "/api/v2/session"))
                            .header("Content-Type", "application/json")
                            .header("Cookie", "XSRF-TOKEN=" + token)
                            .header("X-XSRF-TOKEN", token)
                            .POST(BodyPublishers.ofString(
                                    "{\"name\": \"admin\", \"password\": \"" + admin.initialPassword() + "\"}"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(login.statusCode()).isEqualTo(200);
            assertThat(login.headers().allValues("Set-Cookie"))
                    .allSatisfy(header -> assertThat(header).contains("Secure"))
                    .anySatisfy(header ->
                            assertThat(header).startsWith("SLUICE_ADMIN=").contains("HttpOnly"));
        }
    }

    /** A client that is not a proxy of the configuration cannot state an address of its own. */
    @Test
    void onlyNamedProxiesAreBelieved() throws Exception {
        assertThat(cookieBehind("127.0.0.1")).contains("Secure");
        assertThat(cookieBehind("10.9.9.9")).doesNotContain("Secure");
    }

    private String cookieBehind(String proxy) throws IOException, InterruptedException {
        try (RunningAdmin admin = RunningAdmin.start(data, "sluice.web.trusted-proxies=" + proxy)) {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(
                                            URI.create("http://127.0.0.1:" + admin.port() + "/api/v2/login-options"))
                                    .header("X-Forwarded-Proto", "https")
                                    .header("X-Forwarded-For", "192.0.2.7")
                                    .build(),
                            BodyHandlers.ofString())
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow();
        }
    }

    private static SSLContext trusting(Path certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream in = Files.newInputStream(certificate)) {
            store.setCertificateEntry(
                    "admin", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
