/**
 * Which of several servers runs a destination: candidates, the election, and the lease that an owner must not outlive. It
 * does not know what an owner does with a destination.
 */
@NullMarked
package io.sluice.server.ha;

import org.jspecify.annotations.NullMarked;
