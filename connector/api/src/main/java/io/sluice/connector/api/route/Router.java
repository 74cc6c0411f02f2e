package io.sluice.connector.api.route;

import io.sluice.connector.api.producer.PartitionsUnknownException;
import java.util.Map;

/** Determines where a table's entries go. Thread-safe; cheap enough to be asked for every entry. */
public interface Router {
    /**
     * The route of a table. Waits for the broker's answer if the rules ask it and it has not been asked before; one that is pinned does so for some
     * milliseconds only.
     *
     * @param schema the schema's name; empty if the entry has none
     * @param table the table's name; empty if the entry has none
     * @return the same object for every entry of a table, unless the rules ask the broker for its partitions, or so many
     *     tables were asked for that some were forgotten
     * @throws PartitionsUnknownException if the rules ask the broker, and it has never answered and cannot be asked now
     * @throws PartitionsAwaitedException if this router is pinned, and the broker has not answered yet; the next call gets its answer
     * @throws IllegalStateException if a rule's expression takes an unreasonable time for this table
     */
    Route route(String schema, String table);

    /**
     * A router that keeps each topic's number of partitions from the first answer on, also that it is unavailable. For one thread at a time.
     *
     * @return itself if routes do not depend on the broker
     */
    default Router pinned() {
        return this;
    }

    /**
     * The topics of routes of this router that were unavailable: the broker was asked for their partitions, and the routes do not have its number.
     * None, unless it is pinned and was made with {@link UnavailableTopics#REJECTED}.
     *
     * @return by topic, what a message for it is rejected with
     */
    default Map<String, PartitionsUnknownException> unavailable() {
        return Map.of();
    }

    /** Whether all entries go to one topic and one partition without a key, whatever their table: canal's packets differ then. */
    boolean isFixed();
}
