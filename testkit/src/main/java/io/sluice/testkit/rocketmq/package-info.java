/**
 * Starts a real RocketMQ name server and broker on free ports, and reads what the broker's topics hold.
 *
 * <p>Does not know what the messages mean.
 */
@NullMarked
package io.sluice.testkit.rocketmq;

import org.jspecify.annotations.NullMarked;
