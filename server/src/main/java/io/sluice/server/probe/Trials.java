package io.sluice.server.probe;

import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.connector.api.producer.Connector;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.sent.TrialPart;
import io.sluice.server.config.sent.TrialTexts;
import io.sluice.stream.source.server.SourceHost;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Tries what texts of a configuration need that clients have sent, one trial at a time, so that a client cannot make the server open many
 * connections. Changes nothing anywhere. Thread-safe.
 */
public final class Trials {
    /** How long source, broker and ZooKeeper may take each; all of them together are within the time that a client waits. */
    private static final Duration LIMIT = Duration.ofSeconds(15);

    /** How many tables are read; of names as long as MySQL allows these are some 3 MB. */
    private static final int MOST_TABLES = 20_000;

    private static final int MOST_HOSTS = 3;

    private final Optional<Connector> connector;
    private final Time time;
    private final Semaphore turn = new Semaphore(1);

    /**
     * Makes it.
     *
     * @param connector that of this server; empty if clients pull from it
     */
    public Trials(Optional<Connector> connector, Time time) {
        this.connector = connector;
        this.time = time;
    }

    /**
     * Tries source, broker and ZooKeeper.
     *
     * @param texts nothing is wrong with them
     * @param own the configuration of this server
     * @return empty if another trial is going on
     * @throws InterruptedException if this thread was interrupted
     */
    public Optional<ConnectReport> connect(TrialTexts texts, Configuration own) throws InterruptedException {
        if (!turn.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return Optional.of(ConnectCheck.ofSentTexts(texts, own, connector, LIMIT, time)
                    .run(texts.checked().configuration().instances(), line -> {}));
        } finally {
            turn.release();
        }
    }

    /**
     * Lists the tables that an account can see in its source.
     *
     * @param texts nothing is wrong with them, and there is an instance
     * @return empty if another trial is going on
     * @throws InterruptedException if this thread was interrupted
     */
    public Optional<SourceListing> tables(TrialTexts texts) throws InterruptedException {
        String untried = texts.untried().get(TrialPart.SOURCE);
        if (untried != null) {
            return Optional.of(SourceListing.failed(
                    "",
                    new Finding("configuration", Verdict.UNKNOWN, "not tried: " + untried, ConnectCheck.ELSEWHERE)));
        }
        if (!turn.tryAcquire()) {
            return Optional.empty();
        }
        InstanceConfig instance = texts.checked().configuration().instances().get(0);
        List<SourceHost> hosts = instance.source().hosts();
        TableLister lister = new TableLister(hosts.subList(0, Math.min(hosts.size(), MOST_HOSTS)), MOST_TABLES);
        try (ProbeThreads threads = new ProbeThreads(LIMIT.multipliedBy(2), line -> {})) {
            TargetReport report = threads.run(instance.destination(), "source", lister);
            SourceListing listing = lister.listing();
            return Optional.of(
                    listing.source().isEmpty()
                            ? SourceListing.failed("", report.findings().get(0))
                            : listing);
        } finally {
            turn.release();
        }
    }
}
