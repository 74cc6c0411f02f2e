package io.sluice.server.pull;

import java.util.ArrayDeque;
import java.util.List;

/**
 * The gets that wait, the oldest first. One that leaves has no timeout any more. Not thread-safe, except for {@link #any}: guarded by the lock of
 * {@link PullClients}.
 */
final class WaitingGets {
    private final ArrayDeque<WaitingGet> gets = new ArrayDeque<>();
    private volatile boolean any;

    /** Whether any get waits; may be called without the lock. */
    boolean any() {
        return any;
    }

    void add(WaitingGet get) {
        gets.add(get);
        any = true;
    }

    /** All that wait now; of what changes later the list has nothing. */
    List<WaitingGet> all() {
        return List.copyOf(gets);
    }

    /** Removes a get; false if it does not wait any more. */
    boolean remove(WaitingGet get) {
        if (!gets.remove(get)) {
            return false;
        }
        get.cancelTimeout();
        any = !gets.isEmpty();
        return true;
    }

    /** Removes and returns the gets of a client. */
    List<WaitingGet> removeOf(int clientId) {
        List<WaitingGet> removed =
                gets.stream().filter(get -> get.request.clientId() == clientId).toList();
        removed.forEach(this::remove);
        return removed;
    }

    /** Removes and returns all gets. */
    List<WaitingGet> removeAll() {
        List<WaitingGet> removed = all();
        removed.forEach(this::remove);
        return removed;
    }
}
