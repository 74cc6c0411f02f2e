package io.sluice.schema.history.database;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters of a JDBC URL of MySQL, as Connector/J reads them: names in any case, encoded as values are,
 * and the last of several with a name counts. Immutable.
 */
final class DriverParameters {
    /** By their names in lower case. */
    private final Map<String, Parameter> all = new LinkedHashMap<>();

    /**
     * A parameter.
     *
     * @param name decoded
     * @param encoded the value as written; empty if there is no equals sign
     */
    private record Parameter(String name, String encoded, boolean isAssigned) {}

    /** @param query what follows the question mark */
    DriverParameters(String query) {
        for (String text : query.split("&")) {
            String[] pair = text.split("=", 2);
            String name = decodedName(pair[0]);
            boolean isAssigned = pair.length == 2;
            all.put(name.toLowerCase(Locale.ROOT), new Parameter(name, isAssigned ? pair[1] : "", isAssigned));
        }
    }

    /** As written if it is not encoded as in a URL: then it is the name of no parameter. */
    private static String decodedName(String name) {
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return name;
        }
    }

    /** The names, decoded, in any case. */
    Iterable<String> names() {
        return all.values().stream().map(Parameter::name).toList();
    }

    /** Whether there is one that is not blank. */
    boolean has(String name) {
        return find(name).isPresent();
    }

    /** Whether an equals sign follows its name. */
    boolean isAssigned(String name) {
        Parameter parameter = all.get(name.toLowerCase(Locale.ROOT));
        return parameter != null && parameter.isAssigned();
    }

    /**
     * The value of a parameter; empty if it is missing or blank.
     *
     * @throws IllegalArgumentException if it is not encoded as in a URL; the message has no part of the value, which may be a password
     */
    Optional<String> find(String name) {
        Parameter parameter = all.get(name.toLowerCase(Locale.ROOT));
        if (parameter == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(URLDecoder.decode(parameter.encoded(), StandardCharsets.UTF_8))
                    .filter(value -> !value.isBlank());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "has a value that is not encoded as in a URL: %s (a percent sign is %%25)".formatted(name), e);
        }
    }

    /**
     * A switch.
     *
     * @throws IllegalArgumentException if it is neither true nor false
     */
    boolean flag(String name, boolean standard) {
        Optional<String> value = find(name);
        if (value.isEmpty()) {
            return standard;
        }
        return switch (value.get().toLowerCase(Locale.ROOT)) {
            case "true", "yes" -> true;
            case "false", "no" -> false;
            default ->
                throw new IllegalArgumentException(
                        "has %s=%s, which must be true or false".formatted(name, value.get()));
        };
    }
}
