package io.sluice.connector.api.probe;

/**
 * What was found out about one thing.
 *
 * @param subject the thing, not empty, such as {@code login}, {@code binlog_format} or {@code topic shop}
 * @param evidence what was seen, as a sentence; never a secret
 * @param remedy what an operator can do; empty if nothing is to be done
 */
public record Finding(String subject, Verdict verdict, String evidence, String remedy) {}
