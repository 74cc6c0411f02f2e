/** The queue, exchange and binding that messages need: declares them, unless another node has them. */
@NullMarked
package io.sluice.connector.rabbitmq.topology;

import org.jspecify.annotations.NullMarked;
