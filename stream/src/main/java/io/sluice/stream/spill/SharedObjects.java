package io.sluice.stream.spill;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Numbers of objects that many entries refer to. For one thread. */
final class SharedObjects<T> {
    private static final int NONE = -1;

    private final List<T> objects = new ArrayList<>();
    private final IdentityHashMap<T, Integer> numbers = new IdentityHashMap<>();

    private @Nullable T newest;
    private int newestNumber;

    /** The number of an object; {@link #NONE} of null. */
    int numberOf(@Nullable T object) {
        if (object == null) {
            return NONE;
        }
        if (object != newest) { // most entries refer to the same as the one before
            newest = object;
            Integer known = numbers.putIfAbsent(object, objects.size());
            newestNumber = known == null ? objects.size() : known;
            if (known == null) {
                objects.add(object);
            }
        }
        return newestNumber;
    }

    /** The object of a number. */
    T object(int number) {
        return objects.get(number);
    }

    /** The object of a number; null of {@link #NONE}. */
    @Nullable T objectOrNull(int number) {
        return number == NONE ? null : objects.get(number);
    }
}
