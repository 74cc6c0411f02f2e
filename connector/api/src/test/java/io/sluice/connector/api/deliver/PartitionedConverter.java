package io.sluice.connector.api.deliver;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.producer.Message;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Deals entries out to partitions by their numbers, in messages of so many entries at most. */
record PartitionedConverter(String topic, int partitions, int mostEntries) implements BatchConverter {
    @Override
    public List<OutgoingMessage> convert(long batchId, List<Entry> entries) {
        List<OutgoingMessage> records = new ArrayList<>();
        Map<Integer, List<TextEntry>> open = new LinkedHashMap<>();
        for (Entry entry : entries) {
            if (entry.kind() == EntryKind.END) {
                continue;
            }
            TextEntry text = (TextEntry) entry;
            int partition = text.number() % partitions;
            List<TextEntry> packet = open.computeIfAbsent(partition, key -> new ArrayList<>());
            packet.add(text);
            if (packet.size() == mostEntries) {
                records.add(record(partition, packet));
                open.remove(partition);
            }
        }
        open.forEach((partition, packet) -> records.add(record(partition, packet)));
        return records;
    }

    @Override
    public BatchConverter singly() {
        return new PartitionedConverter(topic, partitions, 1);
    }

    private OutgoingMessage record(int partition, List<TextEntry> packet) {
        String text = packet.stream().map(TextEntry::text).collect(Collectors.joining(","));
        return new OutgoingMessage(
                new Message(topic, partition, text.getBytes(StandardCharsets.UTF_8)),
                packet.get(0),
                packet.get(packet.size() - 1),
                packet.size());
    }
}
