package io.sluice.admin.config;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Changes of configurations that were saved here, and that servers have not read yet. They are kept in memory only: after a start of this server
 * a reload is requested from every server that runs instances of it. Thread-safe.
 */
@Component
public class UnreadChanges {
    private final Clock clock;

    @GuardedBy("this") private final Map<Long, Unread> ofServers = new HashMap<>();

    @GuardedBy("this") private long count;

    /** The changes that a server has not read, with the number of the newest one of each, and why the last request to reload has failed. */
    private static final class Unread {
        private final Map<Key, Numbered> changes = new LinkedHashMap<>();
        private @Nullable String failure;

        /** The newest change when the server read its own configuration last. */
        private long newestOfServer;
    }

    private record Key(OwnerKind kind, String id) {}

    private record Numbered(long number, Instant saved) {}

    /**
     * A change that a server has not read.
     *
     * @param kind what the configuration is of
     * @param id the name of the instance, or the id of the server or cluster
     * @param saved when the first version that was not read was saved
     * @param failure why the reload request failed; null if there was none
     */
    public record Change(
            OwnerKind kind,
            String id,
            Instant saved,
            @Nullable String failure) {}

    UnreadChanges(Clock clock) {
        this.clock = clock;
    }

    /** Adds a change that a server has to read. */
    public synchronized void add(long server, OwnerKind kind, String id) {
        Unread unread = ofServers.computeIfAbsent(server, key -> new Unread());
        Key key = new Key(kind, id);
        Numbered before = unread.changes.get(key);
        count++;
        unread.changes.put(key, new Numbered(count, before == null ? clock.instant() : before.saved));
    }

    /** The newest change; what a server begins to read after this call includes it. */
    public synchronized long newest() {
        return count;
    }

    /** A server has read all changes up to one, those of its own {@code canal.properties} and those of its instances. */
    public synchronized void read(long server, long newest) {
        readServer(server, newest);
        readInstances(server, newest);
    }

    /** A server has all changes of its own {@code canal.properties} up to one, and reads those of its instances next. */
    public synchronized void readServer(long server, long newest) {
        Unread unread = ofServers.get(server);
        if (unread != null) {
            unread.newestOfServer = newest;
        }
    }

    /**
     * A server has read all changes of its instances up to one, and those of its own {@code canal.properties} up to the one of
     * {@link #readServer}: what was saved between the two is not read yet.
     */
    public synchronized void readInstances(long server, long newest) {
        Unread unread = ofServers.get(server);
        if (unread != null) {
            unread.changes
                    .entrySet()
                    .removeIf(entry -> entry.getValue().number
                            <= (entry.getKey().kind == OwnerKind.INSTANCE ? newest : unread.newestOfServer));
            if (unread.changes.isEmpty()) {
                ofServers.remove(server);
            }
        }
    }

    /**
     * A reload request to a server failed.
     *
     * @return whether it has changes to read, and this reason is new
     */
    public synchronized boolean failed(long server, String why) {
        Unread unread = ofServers.get(server);
        if (unread == null || why.equals(unread.failure)) {
            return false;
        }
        unread.failure = why;
        return true;
    }

    /** What a server has not read. */
    public synchronized List<Change> of(long server) {
        Unread unread = ofServers.get(server);
        if (unread == null) {
            return List.of();
        }
        List<Change> changes = new ArrayList<>();
        unread.changes.forEach(
                (key, change) -> changes.add(new Change(key.kind, key.id, change.saved, unread.failure)));
        return changes;
    }

    /** Forgets all servers but these. */
    public synchronized void retain(Set<Long> servers) {
        ofServers.keySet().retainAll(servers);
    }
}
