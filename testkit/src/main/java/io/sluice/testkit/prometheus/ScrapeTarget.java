package io.sluice.testkit.prometheus;

import io.sluice.testkit.tls.Certificates;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What Prometheus is to read every second.
 *
 * @param job what Prometheus calls it, as the label {@code job}
 * @param metrics where its metrics are, by {@code http} or {@code https}
 * @param authority a PEM file with the certificates by which a server is trusted; null for the host's own
 * @param client the certificate that Prometheus presents to a server that requires one; null for none
 */
public record ScrapeTarget(
        String job,
        URI metrics,
        @Nullable Path authority,
        @Nullable Certificates client) {
    public ScrapeTarget {
        boolean web = "http".equals(metrics.getScheme()) || "https".equals(metrics.getScheme());
        if (!web || metrics.getRawAuthority() == null || metrics.getRawQuery() != null) {
            throw new IllegalArgumentException("not http[s]://host[:port]/path: " + metrics);
        }
    }

    /** {@code http://127.0.0.1:port/metrics}. */
    public static ScrapeTarget of(String job, int port) {
        return of(job, URI.create("http://127.0.0.1:%d/metrics".formatted(port)));
    }

    /** Any address. */
    public static ScrapeTarget of(String job, URI metrics) {
        return new ScrapeTarget(job, metrics, null, null);
    }

    /** Returns a copy that is trusted by the given certificates, and not by those of the host. */
    public ScrapeTarget trustedBy(Path pem) {
        return new ScrapeTarget(job, metrics, pem, client);
    }

    /** Returns a copy that is read with a certificate of Prometheus's own. */
    public ScrapeTarget readAs(Certificates own) {
        return new ScrapeTarget(job, metrics, authority, own);
    }
}
