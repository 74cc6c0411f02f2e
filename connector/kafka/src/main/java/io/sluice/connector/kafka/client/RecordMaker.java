package io.sluice.connector.kafka.client;

import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.producer.Ownership;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Makes Kafka's records of messages. Those of an owner that has an epoch carry it in the header {@code sluice-epoch}, as
 * decimal digits, before the message's own headers.
 */
public final class RecordMaker {
    private static final String EPOCH_HEADER = "sluice-epoch";

    private final List<Header> ownHeaders;

    public RecordMaker(Ownership ownership) {
        this.ownHeaders = ownHeaders(ownership).stream()
                .<Header>map(RecordMaker::headerOf)
                .toList();
    }

    /** The headers that every record of an owner has. */
    public static List<MessageHeader> ownHeaders(Ownership ownership) {
        return ownership.epoch() == 0
                ? List.of()
                : List.of(new MessageHeader(EPOCH_HEADER, Long.toString(ownership.epoch())));
    }

    private static Header headerOf(MessageHeader header) {
        return new RecordHeader(header.name(), header.value().getBytes(StandardCharsets.UTF_8));
    }

    public ProducerRecord<byte[], byte[]> recordOf(Message message) {
        return new ProducerRecord<>(
                message.topic(), message.partition(), null, message.key(), message.value(), headersOf(message));
    }

    private List<Header> headersOf(Message message) {
        if (message.headers().isEmpty()) {
            return ownHeaders;
        }
        List<Header> all = new ArrayList<>(ownHeaders);
        for (MessageHeader header : message.headers()) {
            all.add(headerOf(header));
        }
        return all;
    }
}
