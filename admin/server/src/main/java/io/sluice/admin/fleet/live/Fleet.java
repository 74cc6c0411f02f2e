package io.sluice.admin.fleet.live;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All servers and instances at a time. Never changes.
 *
 * @param servers in the order of their names
 * @param instances by name
 * @param clusters names by id
 */
public record Fleet(
        Instant asOf,
        List<ServerView> servers,
        SortedMap<String, InstanceView> instances,
        Map<Long, String> clusters,
        Overview overview) {

    static Fleet empty(Instant now) {
        return new Fleet(
                now,
                List.of(),
                new TreeMap<>(),
                Map.of(),
                new Overview(
                        now,
                        new Overview.ServerCounts(0, 0, 0, 0, 0),
                        new Overview.InstanceCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                        0,
                        0,
                        null,
                        List.of(),
                        0));
    }

    /** A server; null if there is none. */
    public @Nullable ServerView server(long id) {
        for (ServerView server : servers) {
            if (server.row().id() == id) {
                return server;
            }
        }
        return null;
    }
}
