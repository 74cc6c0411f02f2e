package io.sluice.server.config.instance;

import java.time.Duration;

/**
 * What an instance does when a message does not reach the queue.
 *
 * @param onReject when the broker rejects its size or content
 * @param onTopicUnavailable when the broker takes nothing for its topic
 * @param deadLetterTopic where dead letters go
 * @param firstPause the longest back-off after the first failure that may pass; each is twice as long as the one before
 * @param longestPause the longest back-off of all
 */
public record FailureConfig(
        OnReject onReject,
        OnTopicUnavailable onTopicUnavailable,
        String deadLetterTopic,
        Duration firstPause,
        Duration longestPause) {}
