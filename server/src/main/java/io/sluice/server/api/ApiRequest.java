package io.sluice.server.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * A call of the API, whose caller is known.
 *
 * @param path values of the path's variables
 * @param query values of the query, decoded
 * @param body an object; empty if none was sent
 * @param isAbandoned whether the caller has closed its connection, so that it gets no answer
 */
record ApiRequest(
        Caller caller,
        Map<String, String> path,
        Map<String, List<String>> query,
        ObjectNode body,
        BooleanSupplier isAbandoned) {
    String destination() {
        return path.getOrDefault("destination", "");
    }

    Optional<String> query(String name) {
        List<String> values = query.getOrDefault(name, List.of());
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(0));
    }

    /**
     * A number of the query.
     *
     * @throws ApiException if it is none, or out of its range
     */
    int number(String name, int least, int most, int standard) {
        String text = query(name).orElse("");
        if (text.isEmpty()) {
            return standard;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // as one that is out of range
        }
        throw ApiException.badRequest("%s must be a whole number from %d to %d".formatted(name, least, most));
    }

    /**
     * A member of the body as text; empty if it is not there or null.
     *
     * @throws ApiException if it is neither a text nor a number
     */
    Optional<String> text(String name) {
        if (body.hasNonNull(name)
                && !body.get(name).isTextual()
                && !body.get(name).isNumber()) {
            throw ApiException.badRequest(name + " must be a text");
        }
        return body.hasNonNull(name) ? Optional.of(body.get(name).asText()) : Optional.empty();
    }

    /**
     * Whether a member of the body is true.
     *
     * @throws ApiException if it is neither true nor false
     */
    boolean flag(String name) {
        if (body.hasNonNull(name) && !body.get(name).isBoolean()) {
            throw ApiException.badRequest(name + " must be true or false");
        }
        return body.path(name).asBoolean(false);
    }

    /**
     * Rejects members of the body that mean nothing, which may be misspelt.
     *
     * @throws ApiException if there is one
     */
    void requireOnly(Set<String> names) {
        for (Iterator<String> given = body.fieldNames(); given.hasNext(); ) {
            String name = given.next();
            if (!names.contains(name)) {
                throw ApiException.badRequest(
                        names.isEmpty()
                                ? "this call takes no body"
                                : "there is no member " + name + " here, there are "
                                        + String.join(", ", new TreeSet<>(names)));
            }
        }
    }

    /**
     * A member of the body that is a number.
     *
     * @throws ApiException if it is none, or negative
     */
    long amount(String name) {
        if (!body.hasNonNull(name)) {
            return 0;
        }
        if (!body.get(name).isIntegralNumber()
                || !body.get(name).canConvertToLong()
                || body.get(name).asLong() < 0) {
            throw ApiException.badRequest(name + " must be a whole number of at least 0, which means no limit");
        }
        return body.get(name).asLong();
    }
}
