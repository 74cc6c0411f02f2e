package io.sluice.server.ha;

import java.util.List;

/**
 * How destinations are spread over their candidates: in turn, in the order of their names.
 *
 * <p>Every server sees the same nodes, so all agree without talking; if they see them at different times, a destination
 * moves once more than needed.
 */
final class Shares {
    private Shares() {}

    /**
     * The place of a server in the order in which a destination's candidates may take it.
     *
     * @param destinations all there are
     * @param candidates those that can run the destination
     * @return 0 for the one that should run it; of a server that is no candidate, how many there are
     */
    static int turnOf(String server, String destination, List<String> destinations, List<String> candidates) {
        List<String> servers = candidates.stream().sorted().toList();
        int place = servers.indexOf(server);
        if (place < 0) {
            return servers.size();
        }
        long before = destinations.stream()
                .filter(other -> other.compareTo(destination) < 0)
                .count();
        return Math.floorMod(place - (int) before, servers.size());
    }
}
