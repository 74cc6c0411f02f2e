package io.sluice.admin.web;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.admin.address.ClientNetwork;
import java.util.HashMap;
import java.util.Map;

/** Places for work that clients cause. The last ones are for networks that have none, so that a single client does not keep out others. Thread-safe. */
final class NetworkPlaces {
    private final int most;
    private final int kept;

    @GuardedBy("this") private int taken;

    /** Of each network that has any. */
    @GuardedBy("this") private final Map<String, Integer> takenOf = new HashMap<>();

    /**
     * Makes them.
     *
     * @param most how many there are
     * @param kept how many of them are for networks that have none
     */
    NetworkPlaces(int most, int kept) {
        this.most = most;
        this.kept = kept;
    }

    /**
     * Takes a place, which {@link #release} gives back.
     *
     * @param address of the client, as text
     * @return false if there is none for it
     */
    synchronized boolean tryTake(String address) {
        String network = ClientNetwork.of(address);
        if (taken >= (takenOf.containsKey(network) ? most - kept : most)) {
            return false;
        }
        taken++;
        takenOf.merge(network, 1, Integer::sum);
        return true;
    }

    /** @param address as it was when the place was taken */
    synchronized void release(String address) {
        taken--;
        takenOf.computeIfPresent(ClientNetwork.of(address), (network, count) -> count == 1 ? null : count - 1);
    }
}
