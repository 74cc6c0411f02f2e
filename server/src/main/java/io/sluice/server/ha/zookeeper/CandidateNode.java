package io.sluice.server.ha.zookeeper;

import java.util.Set;

/**
 * The node by which this server is a candidate for a destination. While another session has it, such as the former one of this server after a restart, it is
 * noted for another attempt: an owner does not ask for it again, and without it never leaves the destination to another server. Thread-safe.
 */
final class CandidateNode {
    private final EphemeralNode node;
    private final Set<CandidateNode> retries;

    /**
     * Makes it.
     *
     * @param retries where it is noted while another session has the node; thread-safe
     */
    CandidateNode(EphemeralNode node, Set<CandidateNode> retries) {
        this.node = node;
        this.retries = retries;
    }

    /** Makes the node, unless it is there; that another session has it is reported of the server's registration. */
    synchronized void ensure() throws Exception {
        if (node.ensure() == 0) {
            retries.remove(this);
        } else {
            retries.add(this);
        }
    }

    /** Makes the node if another session had it and has ended, unless the candidate was withdrawn meanwhile. */
    synchronized void retry() throws Exception {
        if (retries.contains(this)) {
            ensure();
        }
    }

    /** Ends the attempts to make the node. */
    synchronized void giveUp() {
        retries.remove(this);
    }

    /** Deletes the node if no other session has it. */
    synchronized void ensureAbsent() throws Exception {
        giveUp();
        node.ensureAbsent();
    }
}
