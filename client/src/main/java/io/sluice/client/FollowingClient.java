package io.sluice.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Pulls from the server that runs the destination, and reconnects when that changes.
 *
 * <p>It has at most one connection. One that fails is dropped, and with it every batch that came over it: the next server, or the
 * same one, delivers again what was not acked. When the finder reports that another server runs the destination, the
 * connection is closed at once, so that no call waits for a server that hangs.
 */
final class FollowingClient implements PullClient {
    private static final Logger LOG = LoggerFactory.getLogger(FollowingClient.class);

    private final ClientOptions options;
    private final ServerFinder servers;
    private final Duration timeout;
    private final Time time;
    private final RandomGenerator random = new SplittableRandom();

    /** The batches of this connection that are not acked; only the one thread's. */
    private final Deque<ChangeBatch> unacked = new ArrayDeque<>();

    private @Nullable String filter;
    private @Nullable ServerConnection ready;
    private boolean serving;

    @GuardedBy("this") private @Nullable ServerConnection connection;

    @GuardedBy("this") private @Nullable ServerAddress server;

    @GuardedBy("this") private boolean changed;

    @GuardedBy("this") private boolean closed;

    FollowingClient(ClientOptions options, ServerFinder servers, Duration timeout, Time time) {
        this.options = options;
        this.servers = servers;
        this.timeout = timeout;
        this.time = time;
        servers.onChange(this::serversChanged);
    }

    @FunctionalInterface
    private interface Call<T> {
        T on(ServerConnection connection) throws IOException;
    }

    @Override
    public void subscribe(String newFilter) throws IOException {
        if (newFilter.isEmpty() && filter != null) {
            subscribeNow(newFilter); // the filter remains that of the client
            return;
        }
        String former = filter;
        // A new connection does not begin with the former filter, which the server may reject.
        filter = null;
        try {
            subscribeNow(newFilter);
            former = newFilter;
        } finally {
            filter = former;
        }
    }

    private void subscribeNow(String newFilter) throws IOException {
        call(Duration.ZERO, current -> {
            current.subscribe(newFilter, options.timeout());
            return true;
        });
    }

    @Override
    public void unsubscribe() throws IOException {
        filter = null;
        unacked.clear();
        call(Duration.ZERO, current -> {
            current.unsubscribe();
            return true;
        });
    }

    @Override
    public ChangeBatch getWithoutAck(int size) throws IOException {
        return call(Duration.ZERO, current -> noted(current.getWithoutAck(size)));
    }

    @Override
    public ChangeBatch getWithoutAck(int size, Duration longest) throws IOException {
        Duration wait = Duration.ofMillis(PacketStream.millis(longest));
        return call(wait, current -> noted(current.getWithoutAck(size, wait)));
    }

    private ChangeBatch noted(ChangeBatch batch) {
        if (!batch.isEmpty()) {
            unacked.add(batch);
        }
        return batch;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the batch itself, not one of another connection that looks the same
    public void ack(ChangeBatch batch) throws IOException {
        requireOpen();
        // Another connection may have given another batch the same number.
        if (ready == null || !unacked.removeIf(open -> open == batch)) {
            return;
        }
        try {
            ready.ack(batch);
        } catch (IOException e) {
            drop(e);
        }
    }

    @Override
    public void rollback() throws IOException {
        requireOpen();
        unacked.clear();
        if (ready == null) {
            return; // a new connection begins with that
        }
        try {
            ready.rollback();
        } catch (IOException e) {
            drop(e);
        }
    }

    /**
     * Retries an operation, over new connections if need be, until it succeeds or the time limit has passed.
     *
     * @param wait how long the server may wait before it answers, which does not count
     */
    private <T> T call(Duration wait, Call<T> call) throws IOException {
        Search search = new Search(timeout, random);
        while (true) {
            boolean isFound = ready == null; // by this search, which otherwise begins when the connection is lost
            ServerConnection current = connected(search);
            long begin = time.nanos();
            try {
                T answer = call.on(current);
                noteService();
                return answer;
            } catch (IOException e) {
                Duration beyond = Duration.ofNanos(time.nanos() - begin).minus(wait);
                if (isFound && !beyond.isNegative()) {
                    search.spend(shorter(beyond, mostOfAttempt()));
                }
                drop(e);
                requireOpen();
                giveUpOn(search, e);
            }
        }
    }

    /** How much of a search one server may take, so that one that hangs leaves time for another. */
    private Duration mostOfAttempt() {
        return timeout.dividedBy(2);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Logs once per connection that it works; before that it may be to a server that does not run the destination. */
    private void noteService() {
        if (!serving) {
            serving = true;
            synchronized (this) {
                LOG.info("pulling from a server: destination={} server={}", options.destination(), server);
            }
        }
    }

    /** Records a failure; throws if a retry is of no use. */
    private void giveUpOn(Search search, IOException failure) throws IOException {
        search.failed(failure);
        if (failure instanceof RequestRejectedException rejected && rejected.isFinal(filter != null)) {
            throw failure;
        }
        if (search.isOver()) {
            throw new NoServerException(options.destination(), timeout, servers.whyNone(), failure);
        }
    }

    private ServerConnection connected(Search search) throws IOException {
        while (true) {
            ServerConnection current = ready;
            if (current != null) {
                return current;
            }
            if (search.isOver()) {
                throw new NoServerException(options.destination(), timeout, servers.whyNone(), search.lastFailure());
            }
            long begin = time.nanos();
            await(search);
            Optional<ServerAddress> found = servers.find();
            IOException failure = found.isPresent() ? tryToEnter(found.get(), search.left()) : null;
            search.spend(Duration.ofNanos(time.nanos() - begin));
            if (failure != null) {
                giveUpOn(search, failure);
            }
        }
    }

    private @Nullable IOException tryToEnter(ServerAddress address, Duration left) throws IOException {
        try {
            ready = enter(address, left);
            return null;
        } catch (IOException e) {
            drop(e);
            requireOpen();
            return e;
        }
    }

    /** Connects to a server and restores the subscription. */
    private ServerConnection enter(ServerAddress address, Duration left) throws IOException {
        Duration limit = shorter(shorter(left, mostOfAttempt()), options.timeout());
        ServerConnection opening = new ServerConnection(options.at(address));
        synchronized (this) {
            connection = opening;
            server = address;
        }
        // A close or change before this has not seen the connection.
        if (isClosed() || servers.isReplaced(address)) {
            throw new IOException("another server runs the destination by now");
        }
        opening.open(limit);
        if (filter != null) {
            opening.subscribe(filter, limit);
        }
        return opening;
    }

    /** Closes the connection, and forgets what came over it. */
    private void drop(IOException cause) throws IOException {
        ServerConnection lost;
        ServerAddress address;
        synchronized (this) {
            lost = connection;
            address = server;
            connection = null;
            server = null;
        }
        ready = null;
        unacked.clear();
        if (lost != null) {
            lost.close();
            LOG.atLevel(serving ? Level.WARN : Level.DEBUG)
                    .log(
                            "a server is lost, looking for another: destination={} server={} cause={}",
                            options.destination(),
                            address,
                            cause.getMessage());
        }
        serving = false;
    }

    /** Waits until it is time for an attempt, or the servers have changed. */
    private synchronized void await(Search search) throws IOException {
        long end = time.nanos() + search.nextPause().toNanos();
        try {
            while (!closed && !changed) {
                long millis = TimeUnit.NANOSECONDS.toMillis(end - time.nanos());
                if (millis <= 0) {
                    break;
                }
                wait(millis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while looking for a server");
        }
        if (changed) {
            changed = false;
            search.resetPauses();
        }
        requireOpen();
    }

    private void serversChanged() {
        ServerConnection hanging = null;
        synchronized (this) {
            changed = true;
            notifyAll();
            if (server != null && servers.isReplaced(server)) {
                hanging = connection;
            }
        }
        if (hanging != null) {
            try {
                hanging.close(); // ends calls that wait for it
            } catch (IOException e) {
                LOG.debug("closing a connection failed: destination={}", options.destination(), e);
            }
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void requireOpen() throws IOException {
        if (isClosed()) {
            throw new IOException("the client is closed");
        }
    }

    @Override
    public void close() throws IOException {
        ServerConnection last;
        synchronized (this) {
            closed = true;
            last = connection;
            notifyAll();
        }
        try {
            servers.close();
        } finally {
            if (last != null) {
                last.close();
            }
        }
    }
}
