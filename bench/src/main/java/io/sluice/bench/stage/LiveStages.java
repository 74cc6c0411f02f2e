package io.sluice.bench.stage;

import io.sluice.server.SluiceServer;
import io.sluice.server.config.Configuration;
import io.sluice.server.instance.Instance;
import java.io.IOException;
import java.time.Duration;

/** Our whole server, reading a real one. */
final class LiveStages implements Stages {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    private final SluiceServer server;

    LiveStages(Configuration configuration, Sink sink) {
        this.server = SluiceServer.start(configuration, sink);
    }

    @Override
    public long rows() throws IOException {
        long rows = 0;
        for (Instance instance : server.instances()) {
            Throwable failure = instance.failure();
            if (failure != null) {
                throw new IOException("the instance cannot go on: " + instance.name(), failure);
            }
            rows += instance.storeStats().acked().rows();
        }
        return rows;
    }

    @Override
    public void close() {
        server.stop(STOP_LIMIT);
    }
}
