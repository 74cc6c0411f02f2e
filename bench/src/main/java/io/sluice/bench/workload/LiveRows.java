package io.sluice.bench.workload;

import java.util.Arrays;
import java.util.Random;

/** The current rows of a table: ids and amounts in cents. Ids are counted from 1. */
final class LiveRows {
    private int[] ids = new int[1024];
    private int[] centsOfId = new int[1024];
    private int live;
    private int lastId;

    /** Adds a row and returns its id. */
    int add(int cents) {
        lastId++;
        if (lastId == centsOfId.length) {
            centsOfId = Arrays.copyOf(centsOfId, 2 * lastId);
        }
        if (live == ids.length) {
            ids = Arrays.copyOf(ids, 2 * live);
        }
        centsOfId[lastId] = cents;
        ids[live++] = lastId;
        return lastId;
    }

    int size() {
        return live;
    }

    int cents(int id) {
        return centsOfId[id];
    }

    void setCents(int id, int cents) {
        centsOfId[id] = cents;
    }

    /** The id of a random row. */
    int pick(Random random) {
        return ids[random.nextInt(live)];
    }

    /** Removes a random row and returns its id. */
    int remove(Random random) {
        int at = random.nextInt(live);
        int id = ids[at];
        ids[at] = ids[--live];
        return id;
    }
}
