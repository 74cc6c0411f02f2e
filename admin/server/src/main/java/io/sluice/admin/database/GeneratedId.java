package io.sluice.admin.database;

import org.springframework.jdbc.support.KeyHolder;

/** The id that the database gave to a new row. */
public final class GeneratedId {
    private GeneratedId() {}

    /**
     * Returns the id.
     *
     * @param key of the statement that added the row
     * @throws IllegalStateException if the database gave none
     */
    public static long of(KeyHolder key) {
        Number id = key.getKey();
        if (id == null) {
            throw new IllegalStateException("the database gave no id");
        }
        return id.longValue();
    }
}
