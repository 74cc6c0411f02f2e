package io.sluice.server.metrics;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics, collected at most once within {@link #LIFE} for each format, however many requests there are, and by a thread of its own: requests
 * that come meanwhile get the page that is being made. So a flood of requests costs no more than writing the responses, and other pages do
 * not wait for a collection.
 */
final class SharedMetrics implements Page, AutoCloseable {
    /** How long a page is given to all after it was made. */
    static final Duration LIFE = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(SharedMetrics.class);
    private static final int THREAD_IDLE_SECONDS = 60;

    private final MetricsPage page;
    private final Time time;
    private final ExecutorService maker;

    /** The newest page as OpenMetrics, and the one as text. Of the thread that asks. */
    private final Map<Boolean, Shared> newest = new HashMap<>();

    SharedMetrics(MetricsPage page, Time time) {
        this.page = page;
        this.time = time;
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1,
                1,
                THREAD_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), // at most a page of each format, and its compression
                new DefaultThreadFactory("metrics-page", true));
        one.allowCoreThreadTimeOut(true);
        this.maker = one;
    }

    @Override
    public CompletableFuture<HttpResponse> make(Accepted accepted) {
        boolean asOpenMetrics = page.isOpenMetrics(accepted.types());
        Shared shared = newest.get(asOpenMetrics);
        if (shared == null || shared.isOld()) {
            shared = new Shared(asOpenMetrics);
            newest.put(asOpenMetrics, shared);
        }
        return accepted.gzip() ? shared.compressed() : shared.plain;
    }

    /** Ends its thread. What is being made may not be completed. */
    @Override
    public void close() {
        maker.shutdownNow();
    }

    private static HttpResponse compressed(HttpResponse plain) {
        try {
            return plain.compressed();
        } catch (RuntimeException | Error e) {
            LOG.error("a page cannot be made: path={}", "/metrics", e);
            return HttpResponse.failed();
        }
    }

    private final class Shared {
        private final CompletableFuture<HttpResponse> plain;
        private @Nullable CompletableFuture<HttpResponse> compressed;

        /** Written before {@link #plain} is completed. */
        private volatile long madeNanos;

        Shared(boolean asOpenMetrics) {
            plain = CompletableFuture.supplyAsync(() -> made(asOpenMetrics), maker);
        }

        private HttpResponse made(boolean asOpenMetrics) {
            try {
                return page.make(asOpenMetrics);
            } catch (IOException | RuntimeException | Error e) { // else each request would report it
                LOG.error("a page cannot be made: path={}", "/metrics", e);
                return HttpResponse.failed();
            } finally {
                madeNanos = time.nanos();
            }
        }

        CompletableFuture<HttpResponse> compressed() {
            CompletableFuture<HttpResponse> known = compressed;
            if (known == null) {
                known = plain.thenApplyAsync(SharedMetrics::compressed, maker);
                compressed = known;
            }
            return known;
        }

        boolean isOld() {
            return plain.isDone()
                    && (compressed == null || compressed.isDone())
                    && time.nanos() - madeNanos >= LIFE.toNanos();
        }
    }
}
