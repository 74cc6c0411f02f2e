package io.sluice.server.pull;

import io.sluice.store.cursor.Subscription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions and unsubscriptions that are not known to be stored yet, by client, oldest first. Guarded by the lock of its owner.
 *
 * <p>Several requests of a client may store at the same time. What one stores has the changes before it; if that fails, the changes after
 * it are taken back, too, since they are based on it.
 */
final class UnstoredChanges {
    private final Map<Integer, List<UnstoredChange>> byClient = new HashMap<>();

    /** A subscription or unsubscription of a client. */
    static final class UnstoredChange {
        private final int clientId;
        private final List<Subscription> before;
        private boolean isTakenBack;

        private UnstoredChange(int clientId, List<Subscription> before) {
            this.clientId = clientId;
            this.before = before;
        }

        /** The clients as they were kept before the change. */
        List<Subscription> before() {
            return before;
        }
    }

    /**
     * Adds the change of a request.
     *
     * @param before the clients as they were kept before the request
     * @param after the clients as they are kept now; other cursors are no change
     * @param isNew whether the client has no cursor yet
     * @return the change that is to be stored before the request is answered: its own, or the newest that another request is still storing;
     *     null if there is none
     */
    @Nullable UnstoredChange begin(int clientId, List<Subscription> before, List<Subscription> after, boolean isNew) {
        List<UnstoredChange> own = byClient.getOrDefault(clientId, List.of());
        boolean isChange = !withoutCursors(before).equals(withoutCursors(after));
        if (isChange || isNew && own.isEmpty()) {
            UnstoredChange change = new UnstoredChange(clientId, before);
            byClient.computeIfAbsent(clientId, unused -> new ArrayList<>()).add(change);
            return change;
        }
        return own.isEmpty() ? null : own.get(own.size() - 1);
    }

    /**
     * Removes a change that was stored, with all before it, which were stored with it.
     *
     * @return false if it was taken back meanwhile
     */
    boolean stored(UnstoredChange change) {
        if (change.isTakenBack) {
            return false;
        }
        List<UnstoredChange> own = of(change);
        int index = own.indexOf(change);
        if (index >= 0) { // else it was stored with a later one
            remove(change, own.subList(0, index + 1));
        }
        return true;
    }

    /**
     * Removes a change that could not be stored, with all after it, which are based on it.
     *
     * @return false if another request has stored it meanwhile, or taken it back
     */
    boolean failed(UnstoredChange change) {
        List<UnstoredChange> own = of(change);
        int index = own.indexOf(change);
        if (index < 0) {
            return false;
        }
        List<UnstoredChange> lost = own.subList(index, own.size());
        lost.forEach(one -> one.isTakenBack = true);
        remove(change, lost);
        return true;
    }

    private List<UnstoredChange> of(UnstoredChange change) {
        return byClient.getOrDefault(change.clientId, List.of());
    }

    private void remove(UnstoredChange change, List<UnstoredChange> part) {
        part.clear();
        byClient.computeIfPresent(change.clientId, (id, own) -> own.isEmpty() ? null : own);
    }

    private static List<Subscription> withoutCursors(List<Subscription> all) {
        return all.stream().map(client -> client.withCursor(null)).toList();
    }
}
