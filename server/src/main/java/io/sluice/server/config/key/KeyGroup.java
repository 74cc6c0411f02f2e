package io.sluice.server.config.key;

import io.sluice.server.config.text.Key;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The keys of one concern, in the order in which they are documented. It grows while the class that holds it is loaded only. */
public final class KeyGroup {
    private final String heading;
    private final List<Key<?>> keys = new ArrayList<>();

    /**
     * Makes an empty one.
     *
     * @param heading what its keys are about, as the heading of their table
     */
    public KeyGroup(String heading) {
        this.heading = heading;
    }

    public <T> Key<T> add(Key<T> key) {
        keys.add(key);
        return key;
    }

    public String heading() {
        return heading;
    }

    public List<Key<?>> keys() {
        return Collections.unmodifiableList(keys);
    }
}
