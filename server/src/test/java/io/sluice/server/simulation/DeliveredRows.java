package io.sluice.server.simulation;

import io.sluice.client.QueueMessage;
import io.sluice.client.RowImage;
import io.sluice.client.TableChange;
import io.sluice.client.TableChange.ChangedRow;
import io.sluice.connector.api.deliver.SimulatedBroker;
import io.sluice.connector.api.producer.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows that have arrived; their images are numbered from 1 in the order of the binlog.
 *
 * <p>Each image has its number, and in each other column the name and the number of columns that there were when it was written.
 */
final class DeliveredRows implements SimulatedBroker.Observer {
    private static final String KEY = "id";

    private final BitSet confirmed = new BitSet();
    private final IdentityHashMap<Message, List<Integer>> sent = new IdentityHashMap<>();
    private final List<Arrival> arrived = new ArrayList<>();
    private final @Nullable SimulatedPartitions partitions;
    private int first = 1;
    private int last = Integer.MAX_VALUE;
    private int firstUnconfirmed = 1;

    /** A copy of an image in a partition of a topic. */
    private record Arrival(int image, String lane) {}

    /** @param partitions into which rows are spread; null if they are not */
    DeliveredRows(@Nullable SimulatedPartitions partitions) {
        this.partitions = partitions;
    }

    /** Rows before this number are not expected. */
    void beginAt(int number) {
        first = number;
        firstUnconfirmed = number;
    }

    /** Rows after this number must not be delivered. */
    void endAt(int number) {
        last = number;
    }

    /** Expects everything from this number on, since an operator has moved the cursor there; it may have come before. */
    void moveTo(int number) {
        confirmed.clear();
        arrived.clear();
        beginAt(number);
    }

    @Override
    public void handedOver(Message message) {
        List<Integer> images = imagesOf(message);
        images.forEach(this::requireWanted);
        sent.put(message, images);
        SimulatedPartitions spread = partitions;
        if (spread != null) {
            images.forEach(image -> spread.require(image, message.partition()));
        }
    }

    @Override
    public void stored(Message message) {
        String lane = message.topic() + message.partition();
        sent.get(message).forEach(image -> arrived.add(new Arrival(image, lane)));
    }

    @Override
    public void confirmed(Message message) {
        sent.get(message).forEach(confirmed::set);
    }

    boolean isAnyConfirmed() {
        return !confirmed.isEmpty();
    }

    /** A client has processed images that it has pulled. */
    void confirmed(List<Integer> images) {
        images.forEach(this::requireWanted);
        images.forEach(confirmed::set);
    }

    private void requireWanted(int image) {
        if (image > last) {
            throw new Violation("image %d was written after a reset of the binlog, and is delivered".formatted(image));
        }
    }

    /** The numbers of the images in a message, of which the names are checked. */
    static List<Integer> imagesOf(Message message) {
        List<Integer> images = new ArrayList<>();
        try {
            for (TableChange change : QueueMessage.read(message.value()).changes()) {
                for (ChangedRow row : change.rows()) {
                    add(images, row.before(), change);
                    add(images, row.after(), change);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return images;
    }

    private static void add(List<Integer> images, RowImage image, TableChange change) {
        if (image.isEmpty()) {
            return;
        }
        int number = (int) image.number(KEY);
        for (String name : image.names()) {
            if (!name.equals(KEY)) {
                String text = String.valueOf(image.text(name));
                if (!text.equals(
                        "%s:%d/%d".formatted(name, number, image.names().size()))) {
                    throw new Violation("image %d of %s at %s has %s in column %s"
                            .formatted(number, change.table(), change.position(), text, name));
                }
            }
        }
        images.add(number);
    }

    /** The first number that is expected and that the broker has not confirmed. */
    int firstUnconfirmed() {
        firstUnconfirmed = Math.max(confirmed.nextClearBit(firstUnconfirmed), first);
        return firstUnconfirmed;
    }

    /**
     * Requires that the last copies of what arrived are in order in each partition. A copy is not the last one if another came to another partition, since
     * there are more of them now.
     */
    void requireOrder() {
        NavigableMap<Integer, Integer> last = new TreeMap<>();
        for (int i = 0; i < arrived.size(); i++) {
            last.put(arrived.get(i).image(), i);
        }
        Map<String, Integer> newest = new HashMap<>();
        last.forEach((image, at) -> {
            String lane = arrived.get(at).lane();
            Integer before = newest.put(lane, at);
            if (before != null && at < before) {
                throw new Violation("image %d is in %s for the last time before an older one".formatted(image, lane));
            }
        });
    }
}
