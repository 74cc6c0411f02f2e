package io.sluice.testkit.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.tls.Certificates;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("thorough")
@Timeout(600)
class PrometheusServerIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private Path folder;

    @Test
    void readsTargetsEverySecondAndReportsWhichAreDown() throws Exception {
        int unusedPort = FreePorts.next();
        try (GaugeTarget target = GaugeTarget.plain();
                PrometheusServer prometheus = PrometheusServer.start(
                        ScrapeTarget.of("gauge", target.port()), ScrapeTarget.of("away", unusedPort))) {
            target.set(42);
            URI metrics = URI.create("http://127.0.0.1:%d/metrics".formatted(target.port()));
            // In one, since a busy machine may well miss a second now and then.
            await().atMost(TIMEOUT).untilAsserted(() -> {
                assertThat(prometheus.query("test_depth"))
                        .containsExactly(new Sample(
                                Map.of(
                                        "__name__", "test_depth",
                                        "instance", "127.0.0.1:" + target.port(),
                                        "job", "gauge",
                                        "kind", "deep"),
                                42));
                assertThat(prometheus.target("gauge"))
                        .isEqualTo(new TargetHealth("gauge", metrics, TargetHealth.State.UP, ""));
            });

            TargetHealth away = prometheus.target("away");
            assertThat(away.state()).isEqualTo(TargetHealth.State.DOWN);
            assertThat(away.lastError()).contains("connection refused");
            assertThat(prometheus.value("up{job=\"away\"}")).hasValue(0);
            assertThat(prometheus.targets()).hasSize(2);
            assertThatThrownBy(() -> prometheus.value("up"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("more than one value");
        }
    }

    @Test
    void answersQueriesOfAnyForm() {
        try (PrometheusServer prometheus = PrometheusServer.start()) {
            assertThat(prometheus.value("1 + 1")).hasValue(2);
            assertThat(prometheus.value("1 / 0")).hasValue(Double.POSITIVE_INFINITY);
            assertThat(prometheus.value("-1 / 0")).hasValue(Double.NEGATIVE_INFINITY);
            assertThat(prometheus.value("0 / 0")).hasValue(Double.NaN);
            assertThat(prometheus.value("nobody_has_this")).isEmpty();
            assertThatThrownBy(() -> prometheus.query("rate(x[5m)"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("parse error");
            assertThatThrownBy(() -> prometheus.query("x[5m]"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("matrix");
            assertThatThrownBy(() -> prometheus.target("gauge")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void readsByTlsAndPresentsItsCertificate() throws Exception {
        Certificates server = certificates("server");
        Certificates client = certificates("client");
        try (GaugeTarget target = GaugeTarget.forKnownClients(context(server, client))) {
            URI metrics = URI.create("https://127.0.0.1:%d/metrics".formatted(target.port()));
            target.set(7);
            try (PrometheusServer prometheus = PrometheusServer.start(
                    ScrapeTarget.of("known", metrics)
                            .trustedBy(server.certificate())
                            .readAs(client),
                    ScrapeTarget.of("nameless", metrics).trustedBy(server.certificate()),
                    ScrapeTarget.of("trustless", metrics).readAs(client))) {
                await().atMost(TIMEOUT).untilAsserted(() -> {
                    assertThat(prometheus.value("test_depth{job=\"known\"}")).hasValue(7);
                    assertThat(prometheus.target("trustless").lastError())
                            .contains("certificate signed by unknown authority");
                });

                // Java's server hangs up on it, and does not say why.
                assertThat(prometheus.target("nameless").state()).isEqualTo(TargetHealth.State.DOWN);
                assertThat(prometheus.value("max_over_time(test_depth{job!=\"known\"}[10m])"))
                        .isEmpty();
            }
        }
    }

    @Test
    void keepsItsSamplesOverACrash() throws Exception {
        try (GaugeTarget target = GaugeTarget.plain();
                PrometheusServer prometheus = PrometheusServer.start(ScrapeTarget.of("gauge", target.port()))) {
            target.set(42);
            await().atMost(TIMEOUT).until(() -> prometheus.value("test_depth").equals(OptionalDouble.of(42)));

            prometheus.kill();
            target.set(1);
            prometheus.restart();

            assertThat(prometheus.value("max_over_time(test_depth[10m])")).hasValue(42);
        }
    }

    @Test
    void rejectsTwoTargetsOfTheSameJob() {
        assertThatThrownBy(() -> PrometheusServer.start(ScrapeTarget.of("gauge", 1), ScrapeTarget.of("gauge", 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("same job");
    }

    private Certificates certificates(String name) throws Exception {
        return Certificates.make(Files.createDirectory(folder.resolve(name)), "ip:127.0.0.1");
    }

    private static SSLContext context(Certificates own, Certificates trusted) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store(own), PASSWORD);
        KeyStore others = KeyStore.getInstance("PKCS12");
        others.load(null, PASSWORD);
        others.setCertificateEntry("client", store(trusted).getCertificate("broker"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(others);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** The store that the files were made from, beside them. */
    private static KeyStore store(Certificates certificates) throws Exception {
        return KeyStore.getInstance(
                certificates.certificate().resolveSibling("store.p12").toFile(), PASSWORD);
    }
}
