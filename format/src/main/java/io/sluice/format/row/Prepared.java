package io.sluice.format.row;

import java.util.Arrays;
import java.util.function.Function;

/**
 * What was computed from an object that does not change: at most one value of each class. A value is made when it is first asked
 * for, shared by all threads, and garbage together with the object. Thread-safe.
 *
 * @param <S> the class of the object
 */
final class Prepared<S> {
    private static final Object[] NONE = {};

    /** Few: an instance has one format, and perhaps rules for keys. */
    private volatile Object[] values = NONE;

    <T> T get(S source, Class<T> type, Function<? super S, ? extends T> maker) {
        for (Object value : values) {
            if (value.getClass() == type) {
                return type.cast(value);
            }
        }
        return add(type, maker.apply(source));
    }

    /** Returns the value of another thread if that was faster. */
    private synchronized <T> T add(Class<T> type, T made) {
        Object[] known = values;
        for (Object value : known) {
            if (value.getClass() == type) {
                return type.cast(value);
            }
        }
        Object[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = made;
        values = more;
        return made;
    }
}
