package io.sluice.connector.rabbitmq.node;

import com.rabbitmq.client.Connection;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RabbitMQ's store of metadata from version 4 on, such as of queues and bindings. A node writes to it only if more than half of the nodes agree, and learns of what others write
 * a little later, or not at all while it is cut off.
 */
public final class Khepri {
    private static final Logger LOG = LoggerFactory.getLogger(Khepri.class);
    private static final int FIRST_VERSION = 4;

    private Khepri() {}

    /** Whether a broker may use it, by what it states of itself. */
    public static boolean mayBeUsedBy(Connection connection) {
        String version = String.valueOf(connection.getServerProperties().get("version"));
        int end = version.indexOf('.');
        try {
            return RabbitErrors.isRabbitMq(connection)
                    && end > 0
                    && Integer.parseInt(version.substring(0, end)) >= FIRST_VERSION;
        } catch (NumberFormatException e) {
            LOG.trace("not a version of RabbitMQ: {}", version, e);
            return false;
        }
    }
}
