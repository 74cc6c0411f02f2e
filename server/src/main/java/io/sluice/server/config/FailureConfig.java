package io.sluice.server.config;

import java.time.Duration;

/**
 * What an instance does when a record does not reach the queue.
 *
 * @param onReject when the broker refuses its size or content
 * @param onTopicUnavailable when the broker takes nothing for its topic
 * @param deadLetterTopic where it goes then, if that is asked for
 * @param firstPause the longest pause after the first failure that may pass; each is twice as long as the one before
 * @param longestPause the longest pause of all
 * @param answerLimit how long the broker may leave everything without an answer; zero if for ever
 */
public record FailureConfig(
        OnReject onReject,
        OnTopicUnavailable onTopicUnavailable,
        String deadLetterTopic,
        Duration firstPause,
        Duration longestPause,
        Duration answerLimit) {}
