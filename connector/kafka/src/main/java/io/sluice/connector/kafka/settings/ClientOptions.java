package io.sluice.connector.kafka.settings;

import io.sluice.connector.api.producer.ConfigProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of Kafka's client while they are read: as the operator has set them, then corrected and filled in, with what was found
 * wrong. Without the prefix {@code kafka.}; a blank one is not set. For one thread.
 */
final class ClientOptions {
    /** Begins the keys of the operator's properties. */
    static final String PREFIX = "kafka.";

    static final String SECURITY_PROTOCOL = "security.protocol";
    static final String SASL_LOGIN = "sasl.jaas.config";

    private final Map<String, String> values = new TreeMap<>();

    /** Options that were made of another one, with the key of that one. */
    private final Map<String, String> keys = new HashMap<>();

    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<String> corrections = new ArrayList<>();

    /** Takes those among a server's properties. */
    ClientOptions(Map<String, String> properties) {
        properties.forEach((key, value) -> {
            if (key.startsWith(PREFIX) && !value.isBlank()) {
                values.put(key.substring(PREFIX.length()), value.trim());
            }
        });
    }

    boolean has(String option) {
        return values.containsKey(option);
    }

    /** Empty if it is not set. */
    String get(String option) {
        return values.getOrDefault(option, "");
    }

    void put(String option, String value) {
        values.put(option, value);
    }

    void putIfAbsent(String option, String value) {
        values.putIfAbsent(option, value);
    }

    /** Returns what was set; null if nothing was. */
    @Nullable String remove(String option) {
        return values.remove(option);
    }

    void removeAll(String prefix) {
        values.keySet().removeIf(option -> option.startsWith(prefix));
    }

    /** Has problems with an option reported for the one that it was made of. */
    void madeOf(String option, String other) {
        keys.put(option, keyOf(other));
    }

    /** Whether it is set, and true or false. */
    boolean isFlag(String option) {
        String value = get(option);
        return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
    }

    /** The option as a boolean; {@code otherwise} if it is not set or is none, which is reported elsewhere. */
    boolean flag(String option, boolean otherwise) {
        return isFlag(option) ? Boolean.parseBoolean(get(option)) : otherwise;
    }

    /** The option as a number; {@code otherwise} if it is not set or is none, which {@link OptionCheck} reports. */
    long wholeNumber(String option, long otherwise) {
        String value = values.get(option);
        if (value == null) {
            return otherwise;
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** The option as a time in milliseconds; see {@link #wholeNumber}. */
    Duration millis(String option, long otherwise) {
        return Duration.ofMillis(wholeNumber(option, otherwise));
    }

    /** The key of an option, as the operator spells it. */
    String keyOf(String option) {
        return keys.getOrDefault(option, PREFIX + option);
    }

    /** Notes what is wrong with an option, without a secret. */
    void problem(String option, String problem) {
        problems.add(new ConfigProblem(keyOf(option), problem));
    }

    /** Notes that an option was changed, or is a risk. */
    void correction(String option, String what) {
        corrections.add(keyOf(option) + ": " + what);
    }

    Map<String, String> values() {
        return Collections.unmodifiableMap(values);
    }

    List<ConfigProblem> problems() {
        return Collections.unmodifiableList(problems);
    }

    List<String> corrections() {
        return Collections.unmodifiableList(corrections);
    }
}
