package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.Message;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.store.entry.Entry;
import io.sluice.store.packet.EntryFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lays the entries of a batch into packets, for several topics and partitions at once.
 *
 * <p>The entries are written once, one behind the other, and each is remembered as the next one of its pile; a packet is
 * then gathered from its pile. For one batch and one thread.
 */
final class PacketSorter implements RowDealer.Taker {
    private static final int NONE = -1;

    private final PacketForm form;
    private final ChangeHeaders headers;
    private final ValueLimit limit;
    private final ByteWriter bytes;
    private final EntryFields fields;
    private final List<OutgoingRecord> packets = new ArrayList<>();
    private final List<Pile> piles = new ArrayList<>();

    /** By topic, and then by partition: the piles that entries still go to. */
    private final Map<String, @Nullable Pile[]> open = new HashMap<>();

    /** Per entry: itself, where its bytes start, and which one is behind it in its pile. */
    private Entry[] entries;

    private int[] starts;
    private int[] next;
    private int count;

    /** What goes to one partition, with one key. */
    private static final class Pile {
        private final String topic;
        private final int partition;
        private final byte @Nullable [] key;
        private int first = NONE;
        private int last = NONE;

        /** Stands for an entry that is too large, the only one of its pile. */
        private @Nullable OutgoingRecord refusal;

        private Pile(String topic, int partition, byte @Nullable [] key) {
            this.topic = topic;
            this.partition = partition;
            this.key = key;
        }
    }

    /**
     * Makes one.
     *
     * @param buffer for its use until {@link #finish}; empty
     * @param expected how many entries will probably come
     */
    PacketSorter(PacketForm form, ChangeHeaders headers, ValueLimit limit, ByteWriter buffer, int expected) {
        this.form = form;
        this.limit = limit;
        this.headers = headers;
        this.bytes = buffer;
        this.fields = new EntryFields(buffer);
        int size = Math.max(16, expected);
        entries = new Entry[size];
        starts = new int[size + 1];
        next = new int[size];
    }

    @Override
    public void take(String topic, int partition, byte @Nullable [] key, Entry entry) {
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count + 1);
            next = Arrays.copyOf(next, 2 * count);
        }
        int start = bytes.size();
        limit.begin(bytes);
        try {
            fields.add(entry);
        } catch (TooManyBytesException e) {
            bytes.setSize(start);
            refuse(topic, partition, key, entry, e);
            return;
        }
        entries[count] = entry;
        starts[count + 1] = bytes.size();
        next[count] = NONE;
        Pile pile = pile(topic, partition, key);
        if (pile.first == NONE) {
            pile.first = count;
        } else {
            next[pile.last] = count;
        }
        pile.last = count;
        count++;
    }

    /** Puts a refusal into the place of an entry; what comes behind it in its partition stands behind it. */
    void refuse(String topic, int partition, byte @Nullable [] key, Entry entry, TooManyBytesException cause) {
        Message message = new Message(
                topic, partition, key, ValueLimit.noValue(), headers.ofPacket(entry, entry, entry.rowCount()));
        Pile pile = new Pile(topic, partition, key);
        pile.refusal = limit.refusal(message, entry, cause);
        piles.add(pile);
        @Nullable Pile[] ofTopic = open.get(topic);
        if (ofTopic != null && partition < ofTopic.length) {
            ofTopic[partition] = null;
        }
    }

    private Pile pile(String topic, int partition, byte @Nullable [] key) {
        @Nullable Pile[] ofTopic = open.get(topic);
        if (ofTopic == null || partition >= ofTopic.length) {
            int length = Math.max(partition + 1, 4);
            ofTopic = ofTopic == null ? new Pile[length] : Arrays.copyOf(ofTopic, 2 * length);
            open.put(topic, ofTopic);
        }
        Pile pile = ofTopic[partition];
        if (pile == null || !Arrays.equals(pile.key, key)) {
            // A pile is older than the next one of its partition, so their packets are in the order of their entries.
            pile = new Pile(topic, partition, key);
            piles.add(pile);
            ofTopic[partition] = pile;
        }
        return pile;
    }

    /** The packets; those of one partition are in the order of their entries. */
    List<OutgoingRecord> finish() {
        for (Pile pile : piles) {
            if (pile.refusal != null) {
                packets.add(pile.refusal);
                continue;
            }
            int from = pile.first;
            int length = 0;
            for (int at = from; at != NONE; at = next[at]) {
                int more = starts[at + 1] - starts[at];
                if (length > 0 && form.isTooLarge(length + more)) {
                    gather(pile, from, at, length);
                    from = at;
                    length = 0;
                }
                length += more;
            }
            gather(pile, from, NONE, length);
        }
        return packets;
    }

    private void gather(Pile pile, int from, int end, int length) {
        byte[] packet = form.begin(length);
        int to = packet.length - length;
        int last = from;
        int rows = 0;
        for (int at = from; at != end; at = next[at]) {
            int more = starts[at + 1] - starts[at];
            System.arraycopy(bytes.array(), starts[at], packet, to, more);
            to += more;
            last = at;
            rows += entries[at].rowCount();
        }
        Message message = new Message(
                pile.topic, pile.partition, pile.key, packet, headers.ofPacket(entries[from], entries[last], rows));
        packets.add(new OutgoingRecord(message, entries[from], entries[last]));
    }
}
