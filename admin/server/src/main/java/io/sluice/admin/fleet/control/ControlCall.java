package io.sluice.admin.fleet.control;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a control API.
 *
 * @param method of HTTP
 * @param path encoded, with the query
 * @param body JSON; null: none
 * @param onBehalfOf the user behind the call, for the audit log of the server; blank: this server itself
 * @param timeout how long an answer may take, with everything that comes before it
 * @param maxBytes of the answer
 */
public record ControlCall(
        String method, String path, @Nullable String body, String onBehalfOf, Duration timeout, int maxBytes) {
    private static final Duration LOOK = Duration.ofSeconds(10);
    private static final Duration CHANGE = Duration.ofSeconds(60);
    private static final int MAX_BYTES = 8 * 1024 * 1024;
    private static final String ROOT = "/api/v1";

    /** Reads something. */
    public static ControlCall get(String path) {
        return new ControlCall("GET", ROOT + path, null, "", LOOK, MAX_BYTES);
    }

    /**
     * Changes something.
     *
     * @param body JSON; null: none
     * @param onBehalfOf the user behind the call
     */
    public static ControlCall change(String method, String path, @Nullable String body, String onBehalfOf) {
        return new ControlCall(method, ROOT + path, body, onBehalfOf, CHANGE, MAX_BYTES);
    }

    /** Returns the same call on behalf of a user. */
    public ControlCall onBehalfOf(String user) {
        return new ControlCall(method, path, body, user, timeout, maxBytes);
    }

    /** Returns a copy with the given time that the call may take. */
    public ControlCall within(Duration longest) {
        return new ControlCall(method, path, body, onBehalfOf, longest, maxBytes);
    }

    /** A part of a path, encoded. */
    public static String part(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The path of an instance's call, such as {@code /instances/shop/pause}. */
    public static String instance(String name, String rest) {
        return "/instances/" + part(name) + rest;
    }

    /** A query, or nothing if it has no values. */
    public static String query(Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(values)
                .forEach((name, value) -> text.append(text.isEmpty() ? '?' : '&')
                        .append(part(name))
                        .append('=')
                        .append(part(value)));
        return text.toString();
    }
}
