package io.sluice.connector.api.deliver.failure;

import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends what is rejected to another topic, to its partition 0, with the reason in headers.
 *
 * <p>A dead letter is the whole message first, with its key and its own headers. If that is rejected, too, or is known to be too
 * large, a letter without its value and key is sent instead. Its headers state what and where it was, and its value is a line
 * of text that states so, since some brokers take no empty messages.
 */
public final class DeadLetters implements RejectionPolicy {
    public static final String REASON = "sluice-dead-reason";
    public static final String KIND = "sluice-dead-kind";
    public static final String TOPIC = "sluice-dead-topic";
    public static final String PARTITION = "sluice-dead-partition";
    public static final String TABLE = "sluice-dead-table";
    public static final String POSITION = "sluice-dead-position";
    public static final String GTID = "sluice-dead-gtid";
    public static final String BYTES = "sluice-dead-bytes";
    public static final String VALUE = "sluice-dead-value";

    /** Texts that are longer are cut in headers, so that a letter without value is surely small. */
    private static final int MAX_TEXT_LENGTH = 1000;

    private final String topic;
    private final int maxValueBytes;

    /**
     * Makes a policy.
     *
     * @param topic where dead letters go, not empty
     * @param maxValueBytes larger values are not tried
     */
    public DeadLetters(String topic, int maxValueBytes) {
        if (topic.isBlank()) {
            throw new IllegalArgumentException("canal.mq.deadLetter.topic is empty");
        }
        this.topic = topic;
        this.maxValueBytes = maxValueBytes;
    }

    @Override
    public Verdict judge(RejectedMessage rejected) {
        Message message = rejected.message();
        List<Message> letters = new ArrayList<>(2);
        if (rejected.outgoing().unmade() == null && message.value().length <= maxValueBytes) {
            letters.add(new Message(topic, 0, message.key(), message.value(), headers(rejected, "whole")));
        }
        byte[] note = "%d bytes of %s at %s are left out"
                .formatted(rejected.bytes(), shortened(rejected.tableNames()), rejected.place())
                .getBytes(StandardCharsets.UTF_8);
        letters.add(new Message(topic, 0, null, note, headers(rejected, "left out")));
        return new Verdict.SendInstead(letters);
    }

    private static List<MessageHeader> headers(RejectedMessage rejected, String value) {
        Message message = rejected.message();
        List<MessageHeader> headers = new ArrayList<>(message.headers());
        headers.add(header(REASON, String.valueOf(rejected.failure().cause())));
        headers.add(header(KIND, rejected.failure().kind().name()));
        headers.add(header(TOPIC, message.topic()));
        headers.add(header(PARTITION, Integer.toString(message.partition())));
        headers.add(header(TABLE, rejected.tableNames()));
        headers.add(header(POSITION, rejected.place()));
        String gtid = rejected.gtid();
        if (gtid != null) {
            headers.add(header(GTID, gtid));
        }
        headers.add(header(BYTES, Long.toString(rejected.bytes())));
        headers.add(header(VALUE, value));
        return headers;
    }

    private static MessageHeader header(String name, String text) {
        return new MessageHeader(name, shortened(text));
    }

    private static String shortened(String text) {
        return text.length() <= MAX_TEXT_LENGTH ? text : text.substring(0, MAX_TEXT_LENGTH);
    }
}
