package io.sluice.testkit.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of a row's columns, shared by all rows that have the same. */
final class Columns {
    private static final int ABSENT = -1;

    private final List<String> names;
    private final Map<String, Integer> indexes = new HashMap<>();

    Columns(List<String> names) {
        this.names = List.copyOf(names);
        for (int i = 0; i < names.size(); i++) {
            indexes.put(names.get(i), i);
        }
    }

    List<String> names() {
        return names;
    }

    int indexOf(String name) {
        return indexes.getOrDefault(name, ABSENT);
    }

    boolean has(String name) {
        return indexes.containsKey(name);
    }
}
