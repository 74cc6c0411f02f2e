package io.sluice.connector.api.producer;

/**
 * A header of a message; some brokers call it a property.
 *
 * @param name its name, of ASCII letters, digits, and dashes
 * @param value its text, not empty
 */
public record MessageHeader(String name, String value) {}
