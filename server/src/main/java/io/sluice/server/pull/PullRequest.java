package io.sluice.server.pull;

import io.sluice.store.ring.BatchLimit;

/**
 * One get of a client.
 *
 * @param clientId the client's id
 * @param limit how much it takes at most
 * @param batchWait how long it waits, and for what
 */
public record PullRequest(int clientId, BatchLimit limit, BatchWait batchWait) {}
