/**
 * Which of several servers runs a destination: candidates, elections, and the leases that owners must not outlive. It does not
 * know what an owner does with a destination.
 *
 * <p>{@code Candidate}, {@code OwnerLifecycle} and {@code Renewal} decide, without threads and clocks of their own. {@code Candidacy}
 * is the thread of a candidate. {@code ha.zookeeper} asks ZooKeeper for them.
 */
@NullMarked
package io.sluice.server.ha;

import org.jspecify.annotations.NullMarked;
