package io.sluice.store.cursor;

import java.util.List;

/**
 * What an operator can keep of a destination's clients, though some or all of it may be damaged.
 *
 * @param clients those that can be read, in the order of their ids
 * @param damaged those whose cursor is damaged, where the others can be read; with their filters, without cursors
 * @param isOrderDamaged whether it is not known which filter is the newest
 * @param isAllDamaged whether it is not even known which clients there are
 */
public record ReadableClients(
        List<Subscription> clients, List<Subscription> damaged, boolean isOrderDamaged, boolean isAllDamaged) {
    public ReadableClients {
        clients = List.copyOf(clients);
        damaged = List.copyOf(damaged);
    }

    /** Clients of which nothing is damaged. */
    public static ReadableClients all(List<Subscription> clients) {
        return new ReadableClients(clients, List.of(), false, false);
    }

    /** Clients of which nothing can be read. */
    public static ReadableClients none() {
        return new ReadableClients(List.of(), List.of(), false, true);
    }

    /** Whether anything is damaged. */
    public boolean isDamaged() {
        return isAllDamaged || isOrderDamaged || !damaged.isEmpty();
    }
}
