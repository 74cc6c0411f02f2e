package io.sluice.connector.api.route;

import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * The broker was asked how many partitions a topic has, and has not answered yet. What needs the number is to be repeated when it has.
 */
public final class PartitionsAwaitedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient CompletableFuture<OptionalInt> answer;

    /**
     * For one topic.
     *
     * @param answer completes when the broker has answered, or cannot be asked
     */
    public PartitionsAwaitedException(String topic, CompletableFuture<OptionalInt> answer) {
        super("the broker was asked for the number of partitions of topic " + topic, null, false, false);
        this.answer = answer;
    }

    /** Completes when the broker has answered, or cannot be asked. */
    public CompletableFuture<OptionalInt> answer() {
        return answer;
    }
}
