package io.sluice.connector.api.attempt;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import java.time.Duration;

/** That of an attempt that has ended before it could connect: it is given no message, and has none. */
final class NoConnection implements BrokerConnection {
    @Override
    public void send(Message message, DeliveryCallback callback) {
        throw new NotSentException("there is no connection");
    }

    @Override
    public void flush() {}

    @Override
    public void settle(Duration limit) {}

    @Override
    public void cut(Exception cause) {}
}
