package io.sluice.stream.source.watch;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.PooledTimer;
import io.sluice.protocol.time.Time;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.GaleraNode;
import io.sluice.stream.source.server.MySqlServerFacts;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceHost;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Checks a source periodically on a connection of its own: probes whether it is alive, if configured, and reads the end of its binlog, so
 * that the lag is known while nothing is read.
 */
public final class SourceWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SourceWatch.class);

    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);
    /** After so many intervals without a check, what the last one has found is not shown any more. */
    private static final int MAX_AGE_INTERVALS = 6;

    private static final Duration MIN_MAX_AGE = Duration.ofSeconds(30);
    private static final Duration MIN_TIMEOUT = Duration.ofSeconds(1);
    private static final long NOTABLE_LAG_SECONDS = 60;
    private static final long NANOS_BETWEEN_LAG_LINES = TimeUnit.MINUTES.toNanos(1);

    /** The interval of the probes of the address. */
    private static final Duration ADDRESS_INTERVAL = Duration.ofMinutes(1);

    /** An address that leads to a few servers in turn leads to each of them by so many connections. */
    private static final int ADDRESS_CONNECTIONS = 5;

    private final String name;
    private final @Nullable ProbeOptions probe;
    private final Supplier<SourceHost> host;
    private final Watched watched;
    private final PooledTimer checks;
    private final Duration interval;
    private final Duration maxAge;
    private final Time time;
    /** Held during a probe. */
    private final ReentrantLock looking = new ReentrantLock();

    private volatile boolean stopped;
    private volatile @Nullable Future<?> next;
    private volatile @Nullable MySqlConnection connection;
    /** The probes of the address. */
    private volatile @Nullable MySqlConnection probing;

    private final MovedAddress address = new MovedAddress();
    private volatile @Nullable Found found;

    // For the watching thread.
    private @Nullable SourceHost connectedTo;
    /** The identity of the server that the connection has led to. */
    private String connectedServer = "";
    /** By the same connection; null if nothing was. */
    private @Nullable BinlogExtent measured;

    private @Nullable SourceHost addressOf;
    private long addressNanos;
    /** What was read when the binlog ended before it; null if it did not at the last check. */
    private @Nullable BinlogPosition readBeyondEnd;

    /** The last file of which it was reported that its offsets are not known. */
    private String inexactFile = "";

    /** Whether it was reported that the account may not query the end of the binlog. */
    private boolean hasReportedPrivilege;

    private int failures;
    private long lagLineNanos;

    /** What a check has found, and when. */
    private record Found(BinlogExtent extent, long nanos) {}

    /** The source that is watched. */
    public interface Watched {
        /** Its lag behind a binlog. */
        Lag lag(BinlogExtent binlog);

        /** How far it has read; null before the first event. */
        @Nullable BinlogPosition readTo();

        /** Whether that offset is known beyond the 32 bits of headers. */
        boolean hasExactOffsets();

        /**
         * Called when the clock of that server was compared with ours.
         *
         * @param millis how far it is ahead, in milliseconds
         */
        void onClock(long millis);

        /** The identity of the server that was read to there; null if that is not known. */
        @Nullable String identity();

        /** Whether its binlog is being read. */
        boolean isReading();

        /** How much has come from it, with heartbeats; only whether that changes counts. */
        long receivedBytes();

        /**
         * Called when its address leads to another server, which writes, while nothing comes from the one that is read.
         *
         * @param read how far it had read
         */
        void onMoved(BinlogPosition read);

        /**
         * Called when the binlog of that server ends before what was read.
         *
         * @param read how far it had read
         * @param end where the binlog ends
         * @param isCertain whether it is certainly the same server: the identity of one of MariaDB is no more than its id and the
         *     address, at which others with that id may answer, too
         */
        void onReset(BinlogPosition read, BinlogPosition end, boolean isCertain);

        /**
         * Reads another host.
         *
         * @return false if there is none
         */
        boolean switchHost(SourceHost from, String why);
    }

    /**
     * Makes a watch; {@link #start} starts it.
     *
     * @param probe how to probe whether the source is alive; null for no probe
     * @param host the server that is read now
     */
    public SourceWatch(
            String name,
            @Nullable ProbeOptions probe,
            Supplier<SourceHost> host,
            Watched watched,
            WatchPools pools,
            Time time) {
        this.time = time;
        this.lagLineNanos = time.nanos() - NANOS_BETWEEN_LAG_LINES;
        this.name = name;
        this.probe = probe;
        this.host = host;
        this.watched = watched;
        this.checks = new PooledTimer(
                pools.timer(),
                pools.lookers(),
                failure -> LOG.warn(
                        "a check of the source cannot be started, trying again: instance={} cause={}",
                        name,
                        String.valueOf(failure)));
        this.interval = probe == null ? DEFAULT_INTERVAL : probe.interval();
        Duration age = interval.multipliedBy(MAX_AGE_INTERVALS);
        this.maxAge = age.compareTo(MIN_MAX_AGE) < 0 ? MIN_MAX_AGE : age;
    }

    /** Starts to check. */
    public void start() {
        checks.execute(this::run);
    }

    /** The extent of the binlog at the last check; null if it is not known, or no check was made for long. */
    public @Nullable BinlogExtent extent() {
        Found last = found;
        return last == null || time.nanos() - last.nanos() > maxAge.toNanos() ? null : last.extent();
    }

    private void run() {
        MDC.put("destination", name);
        looking.lock();
        try {
            if (!stopped) {
                probe(host.get(), interval);
            }
        } finally {
            try {
                if (stopped) {
                    disconnect();
                } else {
                    next = checks.schedule(this::run, interval);
                }
            } finally {
                looking.unlock();
                MDC.remove("destination");
            }
        }
    }

    private void probe(SourceHost current, Duration timeout) {
        try {
            MySqlConnection open = connected(current, timeout);
            if (probe != null) {
                open.execute(probe.sql());
                failures = 0;
            }
            measure(open);
            lookAtAddress(current, timeout);
        } catch (IOException e) {
            disconnect();
            fail(current, e);
        } catch (RuntimeException | Error e) { // of this process, and no sign that the source does not answer
            found = null;
            disconnect();
            LOG.warn("a check of the source has failed, trying again: instance={}", name, e);
        }
    }

    private MySqlConnection connected(SourceHost current, Duration timeout) throws IOException {
        MySqlConnection open = connection;
        if (open != null && current.equals(connectedTo)) {
            return open;
        }
        disconnect();
        open = MySqlConnection.open(login(current, timeout));
        connection = open;
        connectedTo = current;
        if (stopped) {
            open.abort();
        }
        connectedServer = new MySqlServerFacts(open).identity();
        return open;
    }

    private static ConnectOptions login(SourceHost current, Duration timeout) {
        Duration limit = timeout.compareTo(MIN_TIMEOUT) < 0 ? MIN_TIMEOUT : timeout;
        return current.login().withTimeouts(limit, limit);
    }

    private void measure(MySqlConnection open) throws IOException {
        ServerFacts facts = new MySqlServerFacts(open);
        String server = watched.identity();
        if (server != null
                && !GaleraNode.isSameServer(
                        server, connectedServer)) { // the positions of two servers cannot be compared
            found = null;
            disconnect();
            return;
        }
        BinlogPosition read = watched.readTo(); // before the end is asked for, which is not before it then
        BinlogExtent now;
        try {
            now = BinlogExtent.of(facts, measured, read, time.millis());
            measured = now;
            watched.onClock(now.clockMillis());
        } catch (ServerErrorException | SourceException e) { // it has answered, for example that it writes no binlog
            found = null;
            if (e instanceof ServerErrorException error && AccountFailure.isMissingPrivilege(error)) {
                reportPrivilege(open, error);
            } else {
                LOG.debug("cannot read the end of the source's binlog: instance={} cause={}", name, e.getMessage());
            }
            return;
        }
        if (read != null && now.end().isBefore(read)) {
            found = null;
            endsBefore(read, now.end(), facts);
            return;
        }
        readBeyondEnd = null;
        found = new Found(now, time.nanos());
        if (read != null && !watched.hasExactOffsets()) {
            reportInexact(read, now);
        }
        Lag lag = watched.lag(now);
        if (lag.seconds() >= NOTABLE_LAG_SECONDS && time.nanos() - lagLineNanos >= NANOS_BETWEEN_LAG_LINES) {
            lagLineNanos = time.nanos();
            LOG.info("behind the source: instance={} seconds={} bytes={}", name, lag.seconds(), lag.bytes());
        }
    }

    /** Nothing else shows it if the source is not read by GTIDs, and no alert on the lag fires. */
    private void reportPrivilege(MySqlConnection open, ServerErrorException error) throws IOException {
        if (hasReportedPrivilege) {
            return;
        }
        hasReportedPrivilege = true;
        String account = null;
        try {
            account = AccountFailure.account(open);
        } catch (ServerErrorException e) { // it has answered
            LOG.debug("cannot read the account of the source: instance={} cause={}", name, e.getMessage());
        } finally { // a connection that is lost just then fails the check, but the line is written once
            LOG.warn(
                    "the account may not query the end of the binlog, so the lag is not known, and a binlog that is reset is noticed late or not:"
                            + " instance={} source={} cause={} remedy={}",
                    name,
                    open.address(),
                    error.serverMessage(),
                    AccountFailure.grant(AccountFailure.REPLICATION_CLIENT, account == null ? "the account" : account));
        }
    }

    private void reportInexact(BinlogPosition read, BinlogExtent binlog) {
        if (binlog.exceedsHeaders(read.file()) && !read.file().equals(inexactFile)) {
            inexactFile = read.file();
            LOG.warn(
                    "a binlog file is larger than 4 GiB, and the source does not state where in it the requested GTIDs begin, so offsets of"
                            + " messages and cursors may be too small by a multiple of 4 GiB until the next file; no change is left out, GTIDs"
                            + " and times are right: instance={} file={}",
                    name,
                    read.file());
        }
    }

    /**
     * The binlog ends before what was read. It was reset if that is so of the same server at two checks, between which nothing came: a
     * proxy may lead to several servers, and a server may send an event just before it shows it.
     */
    private void endsBefore(BinlogPosition read, BinlogPosition end, ServerFacts facts) throws IOException {
        boolean isRepeated = read.equals(readBeyondEnd);
        readBeyondEnd = read;
        String server = watched.identity();
        if (isRepeated && server != null && GaleraNode.isSameServer(server, facts.identity())) {
            watched.onReset(read, end, !facts.mariaDb());
        }
    }

    /** The connections that are open lead to the server that they have led to first, wherever the address leads now. */
    private void lookAtAddress(SourceHost current, Duration timeout) {
        String server = watched.identity();
        BinlogPosition readTo = watched.readTo();
        if (!current.equals(addressOf)) {
            address.changeHost();
            addressOf = current;
            addressNanos = time.nanos();
            return;
        }
        if (server == null || readTo == null || !watched.isReading()) {
            address.restart(null);
            addressNanos = time.nanos();
            return;
        }
        if (time.nanos() - addressNanos < ADDRESS_INTERVAL.toNanos()) {
            return;
        }
        addressNanos = time.nanos();
        MovedAddress.Reading reading = new MovedAddress.Reading(server, readTo, watched.receivedBytes());
        try {
            judgeAddress(current, timeout, reading);
        } catch (IOException e) {
            LOG.debug("cannot probe where the address leads: instance={} cause={}", name, e.getMessage());
        }
    }

    private void judgeAddress(SourceHost current, Duration timeout, MovedAddress.Reading reading) throws IOException {
        MovedAddress.Other other = null;
        for (int i = 0; i < ADDRESS_CONNECTIONS; i++) {
            try (MySqlConnection open = MySqlConnection.open(login(current, timeout))) {
                probing = open;
                if (stopped) {
                    return;
                }
                ServerFacts facts = new MySqlServerFacts(open);
                String reached = facts.identity();
                if (GaleraNode.isSameServer(reached, reading.identity())) {
                    address.leadsTo(reading.identity(), i > 0, time.nanos());
                    return;
                }
                boolean isOnly = other == null || other.isOnly() && reached.equals(other.identity());
                other = new MovedAddress.Other(
                        reached, isOnly, i == ADDRESS_CONNECTIONS - 1 ? endIfShown(facts) : null);
            } finally {
                probing = null;
            }
        }
        if (other != null && reading.identity().equals(watched.identity())) {
            report(current, reading, other, address.leadsElsewhere(reading, other, time.nanos()));
        }
    }

    private static ServerFacts.@Nullable End endIfShown(ServerFacts facts) throws IOException {
        try {
            return facts.end();
        } catch (ServerErrorException | SourceException e) {
            LOG.debug("cannot read the end of the binlog of the server to which the address leads", e);
            return null;
        }
    }

    private void report(
            SourceHost current, MovedAddress.Reading reading, MovedAddress.Other other, MovedAddress.Finding finding) {
        switch (finding) {
            case NONE -> {}
            case ELSEWHERE ->
                LOG.warn(
                        "the address leads to another server than the one that is read: instance={} host={} read={} leads_to={}",
                        name,
                        current.login().address(),
                        reading.identity(),
                        other.identity());
            case STALLED ->
                LOG.warn(
                        "the address leads to another server, which writes, while nothing comes from the one that is read: instance={} host={}"
                                + " read={} leads_to={} failure={} remedy={}",
                        name,
                        current.login().address(),
                        reading.identity(),
                        other.identity(),
                        SourceFailure.OTHER_SERVER.spelling(),
                        SourceFailure.OTHER_SERVER.remedy());
            case MOVED -> watched.onMoved(reading.readTo());
        }
    }

    /** Whether nothing comes from the server that is read, while the one to which its address leads writes. For any thread. */
    public boolean isMoved() {
        return address.isStalled(watched.identity(), watched.readTo());
    }

    private void fail(SourceHost current, IOException e) {
        if (stopped) {
            return;
        }
        found = null;
        if (probe == null) {
            LOG.debug("the source does not answer: instance={} cause={}", name, e.getMessage());
            return;
        }
        failures++;
        LOG.warn("the source does not answer: instance={} failures={} cause={}", name, failures, e.getMessage());
        if (failures <= probe.threshold()) {
            return;
        }
        if (!probe.switchesHost()) {
            LOG.warn(
                    "the source does not answer, which does not change the host since"
                            + " canal.instance.detecting.heartbeatHaEnable is false: instance={} failures={}",
                    name,
                    failures);
        } else if (watched.switchHost(current, failures + " questions in a row were not answered")) {
            failures = 0;
        }
    }

    private void disconnect() {
        MySqlConnection open = connection;
        connection = null;
        measured = null;
        if (open != null) {
            open.close();
        }
    }

    /** Stops, and waits until no check is running. */
    @Override
    public void close() {
        stopped = true;
        MySqlConnection open = connection;
        if (open != null) {
            open.abort();
        }
        MySqlConnection probe = probing;
        if (probe != null) {
            probe.abort();
        }
        looking.lock();
        try {
            Future<?> planned = next;
            if (planned != null) {
                planned.cancel(false);
            }
            disconnect();
        } finally {
            looking.unlock();
        }
    }
}
