package io.sluice.connector.api.producer;

/**
 * A header of a message; some brokers call it a property.
 *
 * @param name its name, of ASCII letters, digits, and dashes; not empty
 * @param value its text, not empty; a producer may replace characters that its broker uses as separators
 */
public record MessageHeader(String name, String value) {}
