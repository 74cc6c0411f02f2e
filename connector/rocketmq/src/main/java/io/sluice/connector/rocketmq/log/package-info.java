/** Takes what RocketMQ's client logs, by a copy of slf4j of its own, to the log of this process. It does not know what is logged. */
@NullMarked
package io.sluice.connector.rocketmq.log;

import org.jspecify.annotations.NullMarked;
