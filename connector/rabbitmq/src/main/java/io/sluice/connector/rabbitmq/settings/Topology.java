package io.sluice.connector.rabbitmq.settings;

/**
 * The queue, exchange and binding that are declared before messages are sent, as canal does: the queue if it is named; the exchange and the binding if all of queue,
 * exchange, type and routing key are named. An exchange that is not declared must be there.
 *
 * @param exchange empty for the broker's own, which leads each message to the queue that has the topic's name
 * @param queue empty for none
 * @param type the exchange's, such as {@code direct}; empty if it is not declared
 * @param routingKey the binding's; messages have their topic there
 */
public record Topology(String exchange, String queue, String type, String routingKey) {
    /** Whether the exchange is declared, too. */
    public boolean declaresExchange() {
        return !queue.isEmpty() && !exchange.isEmpty() && !type.isEmpty() && !routingKey.isEmpty();
    }
}
