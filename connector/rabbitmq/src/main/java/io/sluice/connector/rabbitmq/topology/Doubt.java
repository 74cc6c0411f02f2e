package io.sluice.connector.rabbitmq.topology;

import io.sluice.connector.rabbitmq.settings.Address;
import org.jspecify.annotations.Nullable;

/**
 * Why something may exist although the node that is connected to does not have it, or must not be declared there.
 *
 * @param need that is missing at this node
 * @param at the node to connect to; null if none is known
 */
public record Doubt(Need need, @Nullable Address at, String reason) {}
