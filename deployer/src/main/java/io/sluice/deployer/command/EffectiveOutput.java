package io.sluice.deployer.command;

import io.sluice.server.config.read.EffectiveConfiguration;
import io.sluice.server.config.read.EffectiveConfiguration.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Chooses and formats the values that count.
 *
 * @param destinations the instances that are shown
 * @param defaults whether keys are shown that are not set
 */
record EffectiveOutput(EffectiveConfiguration configuration, List<String> destinations, boolean defaults) {
    private static final int MAX_WIDTH = 70;

    /** Lines of text, {@code key = value}, with the origin after it. */
    List<String> lines() {
        return Stream.concat(
                        section("the server", configuration.server()),
                        instances().flatMap(one -> section(one.destination(), one.values())))
                .toList();
    }

    /** For JSON. */
    Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("server", objects(configuration.server()));
        object.put(
                "instances",
                instances()
                        .map(one -> {
                            Map<String, Object> instance = new LinkedHashMap<>();
                            instance.put("destination", one.destination());
                            instance.put("values", objects(one.values()));
                            return instance;
                        })
                        .toList());
        return object;
    }

    private Stream<EffectiveConfiguration.Instance> instances() {
        return configuration.instances().stream().filter(one -> destinations.contains(one.destination()));
    }

    private Stream<Value> shown(List<Value> values) {
        return values.stream().filter(value -> defaults || !value.isDefault());
    }

    private Stream<String> section(String title, List<Value> values) {
        int width = Math.min(
                MAX_WIDTH,
                shown(values)
                        .mapToInt(value -> assignment(value).length())
                        .max()
                        .orElse(0));
        Stream<String> lines = shown(values).map(value -> {
            String text = assignment(value);
            String note = value.note().isEmpty() ? "" : ", " + value.note();
            return "  " + text + " ".repeat(Math.max(0, width - text.length())) + "  " + value.origin() + note;
        });
        return Stream.concat(Stream.of("", "effective values of " + title), lines);
    }

    private static String assignment(Value value) {
        String written = value.written().isEmpty() ? "" : " (written as " + value.written() + ")";
        return (value.key() + " = " + value.text()).stripTrailing() + written;
    }

    private List<Map<String, Object>> objects(List<Value> values) {
        return shown(values)
                .map(value -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("key", value.key());
                    object.put("value", value.text());
                    object.put("written", value.written());
                    object.put("origin", value.origin());
                    object.put("default", value.isDefault());
                    object.put("note", value.note());
                    return object;
                })
                .toList();
    }
}
