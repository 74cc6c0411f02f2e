package io.sluice.server.alarm;

import java.util.OptionalLong;

/**
 * What an HTTP server has answered to a POST.
 *
 * @param text the beginning of the body
 * @param retryAfterSeconds when to try again, if the answer states it
 */
record HttpAnswer(int status, String text, OptionalLong retryAfterSeconds) {}
