/** Sends messages to RocketMQ. */
@NullMarked
package io.sluice.connector.rocketmq;

import org.jspecify.annotations.NullMarked;
