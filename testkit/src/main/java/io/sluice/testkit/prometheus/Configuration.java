package io.sluice.testkit.prometheus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.tls.Certificates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prometheus's configuration, in JSON, which is also YAML, so that no text needs special quoting. */
final class Configuration {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INTERVAL = "1s";

    private Configuration() {}

    /** Reads each target every second. */
    static String of(List<ScrapeTarget> targets) {
        List<Map<String, Object>> jobs = new ArrayList<>();
        for (ScrapeTarget target : targets) {
            Map<String, Object> job = new LinkedHashMap<>();
            job.put("job_name", target.job());
            job.put("scheme", target.metrics().getScheme());
            job.put("metrics_path", target.metrics().getRawPath());
            job.put(
                    "static_configs",
                    List.of(Map.of("targets", List.of(target.metrics().getRawAuthority()))));
            job.put("tls_config", tls(target));
            jobs.add(job);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("global", Map.of("scrape_interval", INTERVAL, "scrape_timeout", INTERVAL));
        all.put("scrape_configs", jobs);
        try {
            return JSON.writeValueAsString(all);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> tls(ScrapeTarget target) {
        Map<String, String> tls = new LinkedHashMap<>();
        Path authority = target.authority();
        if (authority != null) {
            tls.put("ca_file", authority.toAbsolutePath().toString());
        }
        Certificates client = target.client();
        if (client != null) {
            tls.put("cert_file", client.certificate().toAbsolutePath().toString());
            tls.put("key_file", client.key().toAbsolutePath().toString());
        }
        return tls;
    }
}
