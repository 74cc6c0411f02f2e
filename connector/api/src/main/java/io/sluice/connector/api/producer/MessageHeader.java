package io.sluice.connector.api.producer;

/**
 * Something that a message says besides its value: a header, or a property of the message, whatever the broker calls it.
 *
 * @param name its name, of ASCII letters, digits, and dashes
 * @param value its text, not empty
 */
public record MessageHeader(String name, String value) {}
