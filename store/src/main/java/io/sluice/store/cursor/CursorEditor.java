package io.sluice.store.cursor;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Changes a destination's clients while no instance runs it. What was there before the last change is kept. For one thread.
 */
public interface CursorEditor {
    /** Where the clients are kept, for messages. */
    String location();

    /** Where what is damaged is kept when it is replaced, for messages. */
    String damagedPlace();

    /**
     * All clients, as the next start would find them: see {@link Subscriptions#kept}. In the order of their ids.
     *
     * @throws CursorException if they cannot be read
     */
    List<Subscription> read();

    /**
     * The clients as {@link #read} has them, and if something is damaged, those of them that are not.
     *
     * @throws CursorException if they cannot be read for another reason
     */
    ReadableClients readable();

    /**
     * What the last {@link #replace(List)} replaced.
     *
     * @return empty if there was none
     * @throws CursorException if it cannot be read
     */
    Optional<List<Subscription>> previous();

    /**
     * Makes these the clients, and keeps those that are there as the previous ones; what is damaged is kept apart, and the previous ones stay. One that has left is dropped if another has a cursor.
     *
     * @throws CursorException if an instance runs that would write its own over them, or they cannot be written
     */
    default void replace(List<Subscription> clients) {
        replace(clients, Set.of());
    }

    /**
     * As {@link #replace(List)}, but some clients that are damaged stay as they are.
     *
     * @param untouched the ids of some of {@link ReadableClients#damaged}, and none of {@code clients}
     * @throws CursorException if an instance runs that would write its own over them, or they cannot be written
     */
    void replace(List<Subscription> clients, Set<Integer> untouched);
}
