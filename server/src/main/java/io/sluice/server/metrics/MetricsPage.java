package io.sluice.server.metrics;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sluice.protocol.time.Time;
import io.sluice.server.instance.Instance;
import io.sluice.server.version.BuildVersion;
import io.sluice.store.ring.StoreStats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** All metrics, in the text formats of Prometheus. A page is made by one thread at a time. */
final class MetricsPage {
    private static final int USUAL_BYTES = 1 << 15;

    private final Observed observed;
    private final Time time;
    private final BuildVersion version = BuildVersion.ofThisBuild();
    private final ExpositionFormatWriter text =
            PrometheusTextFormatWriter.builder().build();
    private final ExpositionFormatWriter openMetrics =
            OpenMetricsTextFormatWriter.builder().build();

    /** The metrics of the JVM and its process; null before the first request: they take time that a start does not have to spare. */
    private @Nullable PrometheusRegistry ofTheJvm;

    MetricsPage(Observed observed, Time time) {
        this.observed = observed;
        this.time = time;
    }

    /** Whether a reader with this Accept header gets OpenMetrics. For any thread. */
    boolean isOpenMetrics(String accepted) {
        return openMetrics.accepts(accepted);
    }

    HttpResponse make(boolean asOpenMetrics) throws IOException {
        ExpositionFormatWriter format = asOpenMetrics ? openMetrics : text;
        ByteArrayOutputStream body = new ByteArrayOutputStream(USUAL_BYTES);
        format.write(body, all());
        return new HttpResponse(HttpResponseStatus.OK, format.getContentType(), body.toByteArray());
    }

    private MetricSnapshots all() {
        Families families = new Families();
        CanalMetrics canals = new CanalMetrics(families, time.millis());
        SluiceMetrics ours = new SluiceMetrics(families);
        ours.add(version);
        ours.add(observed.destinations(), observed.instances(), observed.health());
        for (Instance instance : observed.instances()) {
            StoreStats store = instance.storeStats();
            canals.add(instance, store);
            ours.add(instance, store);
        }
        observed.clientPort().ifPresent(port -> {
            canals.add(port.counts());
            ours.add(port);
        });
        ours.addConfiguration(observed.isConfigurationRefused());
        ours.add(observed.alarms());
        new CanalJvmMetrics(families).add();
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        families.build().forEach(all::metricSnapshot);
        jvm().scrape().forEach(all::metricSnapshot);
        return all.build();
    }

    private PrometheusRegistry jvm() {
        PrometheusRegistry known = ofTheJvm;
        if (known == null) {
            known = new PrometheusRegistry();
            JvmMetrics.builder().register(known);
            ofTheJvm = known;
        }
        return known;
    }
}
