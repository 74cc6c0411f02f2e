package io.sluice.connector.api.deliver;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.producer.Message;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Deals entries out to partitions by their numbers, and DDL to all of them, in messages of several entries.
 *
 * @param mostEntries how many a message has at most
 * @param unmade the numbers for which no message is made, since it would be too large
 */
record SimulatedConverter(String topic, int partitions, int mostEntries, Set<Integer> unmade)
        implements BatchConverter {
    /** Where an entry goes. */
    List<TopicPartition> lanesOf(Entry entry) {
        TextEntry text = (TextEntry) entry;
        return switch (entry.kind()) {
            case DDL ->
                IntStream.range(0, partitions)
                        .mapToObj(partition -> new TopicPartition(topic, partition))
                        .toList();
            case ROWS -> List.of(new TopicPartition(topic, text.number() % partitions));
            default -> List.of();
        };
    }

    @Override
    public List<OutgoingMessage> convert(long batchId, List<Entry> entries) {
        List<OutgoingMessage> records = new ArrayList<>();
        TreeMap<Integer, List<TextEntry>> open = new TreeMap<>();
        for (Entry entry : entries) {
            for (TopicPartition lane : lanesOf(entry)) {
                TextEntry text = (TextEntry) entry;
                List<TextEntry> packet = open.computeIfAbsent(lane.partition(), key -> new ArrayList<>());
                if (entry.kind() == EntryKind.ROWS && unmade.contains(text.number())) {
                    end(packet, lane.partition(), records);
                    records.add(new OutgoingMessage(
                            new Message(topic, lane.partition(), new byte[0]),
                            entry,
                            entry,
                            1,
                            new OutgoingMessage.Unmade(1_000_000, "too large to be made")));
                } else {
                    packet.add(text);
                    if (packet.size() == mostEntries) {
                        end(packet, lane.partition(), records);
                    }
                }
            }
        }
        open.forEach((partition, packet) -> end(packet, partition, records));
        return records;
    }

    private void end(List<TextEntry> packet, int partition, List<OutgoingMessage> records) {
        if (packet.isEmpty()) {
            return;
        }
        String text = packet.stream().map(TextEntry::text).collect(Collectors.joining(","));
        records.add(new OutgoingMessage(
                new Message(topic, partition, text.getBytes(StandardCharsets.UTF_8)),
                packet.get(0),
                packet.get(packet.size() - 1),
                packet.size()));
        packet.clear();
    }

    @Override
    public BatchConverter singly() {
        return new SimulatedConverter(topic, partitions, 1, unmade);
    }
}
