package io.sluice.stream.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Finds a short list that still has a property, by delta debugging: removes ever smaller parts, as long as the property stays. */
final class ScriptReducer {
    private ScriptReducer() {}

    /**
     * Reduces a list that has the property.
     *
     * @param mayContinue whether there is time for another test
     * @return the list from which no single element can be removed, or a longer one if there was no time
     */
    static <T> List<T> reduce(List<T> all, Predicate<List<T>> hasProperty, BooleanSupplier mayContinue) {
        List<T> left = List.copyOf(all);
        int size = Math.max(1, left.size() / 2);
        while (left.size() > 1) {
            boolean removed = false;
            int end = left.size();
            while (end > 0) {
                if (!mayContinue.getAsBoolean()) {
                    return left;
                }
                int from = Math.max(0, end - size);
                List<T> fewer = without(left, from, end);
                if (!fewer.isEmpty() && hasProperty.test(fewer)) {
                    left = fewer;
                    removed = true;
                }
                end = from;
            }
            if (size == 1 && !removed) {
                return left;
            }
            size = Math.max(1, Math.min(size / 2, left.size() / 2));
        }
        return left;
    }

    private static <T> List<T> without(List<T> all, int from, int to) {
        List<T> fewer = new ArrayList<>(all.subList(0, from));
        fewer.addAll(all.subList(to, all.size()));
        return List.copyOf(fewer);
    }
}
