package io.sluice.connector.api.convert;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.bytes.TooManyBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Distributes the entries of a batch over packets, for several topics and partitions at once: each has a {@link PacketWriter} with a
 * buffer of its own, until an entry with another key comes. For one batch and one thread.
 */
final class PacketSorter implements RowRouter.Taker {
    private final PacketForm form;
    private final ChangeHeaders headers;
    private final ValueLimit limit;
    private final Workspace workspace;

    /** A writer is older than the next one of its partition, so their packets are in the order of their entries. */
    private final List<PacketWriter> writers = new ArrayList<>();

    /** The one that took the last entry; it is open. */
    private @Nullable PacketWriter newest;

    /** By topic, and then by partition: those that entries still go to. */
    private final Map<String, @Nullable PacketWriter[]> open = new HashMap<>();

    /**
     * Makes one.
     *
     * @param workspace gives it what it needs until {@link #finish}
     */
    PacketSorter(PacketForm form, ChangeHeaders headers, ValueLimit limit, Workspace workspace) {
        this.form = form;
        this.headers = headers;
        this.limit = limit;
        this.workspace = workspace;
    }

    @Override
    public void take(String topic, int partition, byte @Nullable [] key, Entry entry) {
        writer(topic, partition, key).add(entry);
    }

    /** Adds a rejection instead of an entry; what comes after it in its partition follows it. */
    void reject(String topic, int partition, byte @Nullable [] key, Entry entry, TooManyBytesException cause) {
        writer(topic, partition, key).reject(entry, cause);
    }

    @SuppressWarnings("ReferenceEquality") // routes nearly always come with the same object
    private PacketWriter writer(String topic, int partition, byte @Nullable [] key) {
        PacketWriter last = newest;
        if (last != null && last.topic() == topic && last.partition() == partition && Arrays.equals(last.key(), key)) {
            return last;
        }
        last = find(topic, partition, key);
        newest = last;
        return last;
    }

    private PacketWriter find(String topic, int partition, byte @Nullable [] key) {
        @Nullable PacketWriter[] ofTopic = open.get(topic);
        if (ofTopic == null || partition >= ofTopic.length) {
            int length = Math.max(partition + 1, 4);
            ofTopic = ofTopic == null ? new PacketWriter[length] : Arrays.copyOf(ofTopic, 2 * length);
            open.put(topic, ofTopic);
        }
        PacketWriter writer = ofTopic[partition];
        if (writer == null || !Arrays.equals(writer.key(), key)) {
            if (writer != null) {
                end(writer);
            }
            writer = new PacketWriter(
                    topic, partition, key, form, headers, limit, workspace.encoder(), workspace.take());
            writers.add(writer);
            ofTopic[partition] = writer;
        }
        return writer;
    }

    private void end(PacketWriter writer) {
        writer.end();
        workspace.giveBack(writer.buffer());
    }

    /** The packets; those of one partition are in the order of their entries. */
    List<OutgoingMessage> finish() {
        for (@Nullable PacketWriter[] ofTopic : open.values()) {
            for (PacketWriter writer : ofTopic) {
                if (writer != null) {
                    end(writer);
                }
            }
        }
        List<OutgoingMessage> packets = new ArrayList<>(writers.size());
        for (PacketWriter writer : writers) {
            packets.addAll(writer.packets());
        }
        return packets;
    }
}
