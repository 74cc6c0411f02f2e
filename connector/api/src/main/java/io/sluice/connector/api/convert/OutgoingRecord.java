package io.sluice.connector.api.convert;

/**
 * One record, ready to be sent.
 *
 * @param target where it goes
 * @param value its bytes; handed over, so nobody may change them any more
 */
@SuppressWarnings("ArrayRecordComponent") // it is compared by nobody, and a copy of every value would be waste
public record OutgoingRecord(Target target, byte[] value) {}
