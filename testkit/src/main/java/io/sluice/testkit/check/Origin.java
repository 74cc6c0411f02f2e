package io.sluice.testkit.check;

/**
 * Where a change came from.
 *
 * @param event what identifies the event: its binlog position where the record has it, else its time
 */
public record Origin(String topic, int partition, long offset, String event) {
    /** The stream in which order is kept. */
    String stream() {
        return topic + "-" + partition;
    }

    @Override
    public String toString() {
        return "record %d of %s (event %s)".formatted(offset, stream(), event);
    }
}
