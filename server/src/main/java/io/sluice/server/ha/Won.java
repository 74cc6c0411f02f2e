package io.sluice.server.ha;

import io.sluice.store.cursor.zookeeper.NodeVersion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The result of an election that was won.
 *
 * @param lease has begun when the election was asked for
 * @param session the session by which it has won
 * @param id differs for each win of a destination
 * @param former the owner before, if it is not known to have stopped
 * @param written the lease that the next owner finds, and waits for: the one of this owner, or that of the former owner if it is longer
 * @param fence the nodes that keep these versions while it is the owner
 * @param deployment the id of the servers that share the destination
 * @param epochNode identifies the node that counts the owners: it is another one after ZooKeeper has lost its data
 */
public record Won(
        Lease lease,
        long session,
        long id,
        Optional<FormerOwner> former,
        Duration written,
        List<NodeVersion> fence,
        String deployment,
        String epochNode) {}
