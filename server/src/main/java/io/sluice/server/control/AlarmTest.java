package io.sluice.server.control;

/**
 * What became of an alarm that was posted on trial.
 *
 * @param webhook its number in the configuration, from 1
 * @param format its format, as the configuration spells it
 * @param delivered whether it was accepted
 * @param detail why it was not; blank if it was. Neither the URL nor a secret is in it
 */
public record AlarmTest(int webhook, String format, boolean delivered, String detail) {}
