package io.sluice.admin.config;

/**
 * The value that counts for a key.
 *
 * @param value masked if it is secret; as it is written if only the server's machine knows it
 * @param from where it comes from, such as {@code instance.properties:3} or {@code default}
 */
record EffectiveValue(String key, String value, String from) {}
