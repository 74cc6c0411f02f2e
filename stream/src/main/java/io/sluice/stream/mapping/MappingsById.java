package io.sluice.stream.mapping;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Maps table ids to mappings: a hash table with open addressing, since there are two look-ups per statement, and boxing the id would
 * allocate each time. For one thread.
 */
final class MappingsById {
    private static final int SMALLEST = 64;

    private long[] ids = new long[SMALLEST];

    /** In the slot of its id, or after it where that was taken; null ends the search. */
    private @Nullable TableMapping[] mappings = new @Nullable TableMapping[SMALLEST];

    private int size;

    /** Null if the id is not known. */
    @Nullable TableMapping get(long id) {
        return mappings[slotOf(id)];
    }

    /** Replaces what the id was mapped to before. */
    void put(long id, TableMapping mapping) {
        int slot = slotOf(id);
        if (mappings[slot] == null) {
            if (2 * ++size > ids.length) {
                grow();
                slot = slotOf(id);
            }
            ids[slot] = id;
        }
        mappings[slot] = mapping;
    }

    /** How many ids are known. */
    int size() {
        return size;
    }

    /** Forgets all ids. */
    void clear() {
        if (ids.length > SMALLEST) {
            ids = new long[SMALLEST];
            mappings = new @Nullable TableMapping[SMALLEST];
        } else {
            Arrays.fill(mappings, null);
        }
        size = 0;
    }

    /** Where the id is, or where it would be. */
    private int slotOf(long id) {
        int mask = ids.length - 1;
        int slot = (int) id & mask; // a server counts them up
        while (mappings[slot] != null && ids[slot] != id) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldIds = ids;
        @Nullable TableMapping[] old = mappings;
        ids = new long[2 * oldIds.length];
        mappings = new @Nullable TableMapping[ids.length];
        for (int i = 0; i < old.length; i++) {
            TableMapping mapping = old[i];
            if (mapping != null) {
                int slot = slotOf(oldIds[i]);
                ids[slot] = oldIds[i];
                mappings[slot] = mapping;
            }
        }
    }
}
