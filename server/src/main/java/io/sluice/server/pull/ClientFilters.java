package io.sluice.server.pull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.wire.Rejection;
import io.sluice.schema.filter.IncludeList;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.Subscriptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table filters that the clients of a destination subscribe with. The last one replaces the configured filter for all, until its client
 * unsubscribes while others are subscribed: then the newest of theirs does.
 *
 * <p>A filter is judged before it is used. One that proves too expensive later is removed from the subscriptions, so that it is
 * not in force again after a restart; the configured filter is in force then. Thread-safe.
 */
public final class ClientFilters {
    private static final Logger LOG = LoggerFactory.getLogger(ClientFilters.class);
    private static final int MAX_SHOWN = 200;

    private final String destination;
    private final TableFilter tables;
    private final Subscriptions subscribers;

    /**
     * Makes one, which follows what becomes of the filters of the clients.
     *
     * @param tables decides for the stream; no other may use {@link TableFilter#onFallback}
     * @param subscribers keeps the clients with their filters
     */
    public ClientFilters(String destination, TableFilter tables, Subscriptions subscribers) {
        this.destination = destination;
        this.tables = tables;
        this.subscribers = subscribers;
        tables.onFallback(this::dropped);
    }

    /**
     * Puts the filter of the newest subscription into force, else the configured one. One that is rejected is removed, and the next newest replaces
     * it.
     *
     * <p>Of a client that has left the filter counts until another client subscribes: the rows that it continues with if it comes back are
     * read meanwhile.
     */
    public void restore() {
        boolean isDone = false;
        while (!isDone) {
            isDone = restore(newestFirst());
        }
    }

    /** Returns false if that must be tried again, since the clients have changed. */
    private boolean restore(List<Subscription> newestFirst) {
        if (newestFirst.isEmpty()) {
            return include(newestFirst, null);
        }
        Subscription newest = newestFirst.get(0);
        try {
            return include(newestFirst, tables.judged(newest.filter())); // takes a while, so without the lock
        } catch (IllegalArgumentException e) {
            remove(newest, String.valueOf(e.getMessage()));
            return false;
        }
    }

    private synchronized boolean include(List<Subscription> clients, @Nullable IncludeList filter) {
        if (!newestFirst().equals(clients)) {
            return false;
        }
        if (filter == null) {
            if (tables.includeConfigured()) {
                LOG.info("no client's filter is in force any more, the configured one is: instance={}", destination);
            }
            return true;
        }
        Subscription newest = clients.get(0);
        if (tables.include(filter)) {
            LOG.info(
                    "a client's filter replaces the one that was in force: instance={} client={} filter={}",
                    destination,
                    newest.clientId(),
                    shown(newest.filter()));
        }
        warnIfDoubtful(newest, clients);
        return true;
    }

    /** The clients whose filters count, without their cursors, which move meanwhile; the newest filter is the first. */
    private List<Subscription> newestFirst() {
        List<Subscription> subscribed = subscribers.subscriptions();
        return (subscribed.isEmpty() ? subscribers.kept() : subscribed)
                .stream()
                        .filter(client -> !client.filter().isEmpty())
                        .sorted(Subscription.NEWEST_FILTER_FIRST)
                        .map(client -> new Subscription(
                                client.clientId(), client.filter(), null, client.filterOrder(), client.unsubscribed()))
                        .toList();
    }

    private synchronized void remove(Subscription rejected, String reason) {
        if (!newestFirst().contains(rejected)) {
            return;
        }
        removeFilter(rejected);
        LOG.warn(
                "a client's filter was rejected and removed from its subscription: instance={} client={} filter={} reason={}",
                destination,
                rejected.clientId(),
                shown(rejected.filter()),
                oneLine(reason));
    }

    @GuardedBy("this") private void removeFilter(Subscription client) {
        subscribers.subscribe(client.clientId(), "");
        if (client.unsubscribed()) {
            subscribers.unsubscribe(client.clientId());
        }
    }

    /** Warns if the filter that is in force may not be the newest one: what canal has stored does not state which one is. */
    private void warnIfDoubtful(Subscription restored, List<Subscription> clients) {
        List<Integer> others = clients.stream()
                .filter(client -> client.filterOrder() == 0 && restored.filterOrder() == 0)
                .filter(client -> !client.filter().equals(restored.filter()))
                .map(Subscription::clientId)
                .toList();
        if (!others.isEmpty()) {
            LOG.warn(
                    "clients have subscribed with several filters, in an order that is not stored, and that of the largest client id is in"
                            + " force: instance={} client={} filter={} others={}",
                    destination,
                    restored.clientId(),
                    shown(restored.filter()),
                    others);
        }
    }

    /**
     * Warns of the filters of clients where a queue is sent to. What it gets is determined by the configuration, since there is no client that
     * could take a filter back, and rows that it leaves out would be missing without a trace; the filters are kept for a return to clients.
     *
     * @param configured the configured pattern, which may be the same
     */
    public static void warnOfUnused(String destination, String configured, Subscriptions subscribers) {
        for (Subscription client : subscribers.subscriptions()) {
            if (!client.filter().isEmpty() && !client.filter().equals(configured)) {
                LOG.warn(
                        "a client's filter is kept and not used, with a queue the configured one is in force:"
                                + " instance={} client={} filter={}",
                        destination,
                        client.clientId(),
                        shown(client.filter()));
            }
        }
    }

    /**
     * Judges a filter.
     *
     * @throws PullException if it cannot be read, or is not safe; nothing has changed then
     */
    IncludeList judged(String filter) {
        try {
            return tables.judged(filter);
        } catch (IllegalArgumentException e) {
            throw new PullException(Rejection.filterRejected(String.valueOf(e.getMessage())));
        }
    }

    /** Subscribes a client with its filter, which is in force from {@link #putIntoForce} on: when it is stored. */
    synchronized void subscribe(int clientId, IncludeList filter) {
        subscribers.subscribe(clientId, filter.text());
    }

    /** Puts the filter that a client has subscribed with into force for all, unless a newer one counts. */
    synchronized void putIntoForce(int clientId, IncludeList filter) {
        List<Subscription> newestFirst = newestFirst();
        if (!newestFirst.isEmpty()
                && newestFirst.get(0).clientId() == clientId
                && newestFirst.get(0).filter().equals(filter.text())) {
            tables.include(filter);
        }
    }

    /**
     * Subscribes a client that names no filter. It keeps its former one, which counts among those of the others as before.
     *
     * @return whether the filter in force may be that of another client, which has left: {@link #restore} is to be called then
     */
    synchronized boolean subscribe(int clientId) {
        boolean isFirst = subscribers.subscriptions().isEmpty();
        subscribers.subscribe(clientId);
        return isFirst && !filterOf(subscribers.subscriptions(), clientId).equals(tables.includedTables());
    }

    /**
     * Unsubscribes a client, whose filter counts no more.
     *
     * @return whether its filter may be in force: {@link #restore} is to be called then
     */
    synchronized boolean unsubscribe(int clientId) {
        String former = filterOf(subscribers.subscriptions(), clientId);
        subscribers.unsubscribe(clientId);
        return !former.isEmpty() && former.equals(tables.includedTables());
    }

    private static String filterOf(List<Subscription> clients, int clientId) {
        return clients.stream()
                .filter(client -> client.clientId() == clientId)
                .map(Subscription::filter)
                .findFirst()
                .orElse("");
    }

    private synchronized void dropped(String filter, String reason) {
        List<Subscription> holders = subscribers.kept().stream()
                .filter(client -> client.filter().equals(filter))
                .toList();
        holders.forEach(this::removeFilter);
        List<Integer> clients = holders.stream().map(Subscription::clientId).toList();
        LOG.warn(
                "a client's filter is too expensive and removed from its subscription, the configured filter is in force:"
                        + " instance={} clients={} filter={} reason={}",
                destination,
                clients,
                shown(filter),
                oneLine(reason));
    }

    private static String shown(String filter) {
        return oneLine(filter.length() <= MAX_SHOWN ? filter : filter.substring(0, MAX_SHOWN) + "...");
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ");
    }
}
