package io.sluice.client.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is in a destination's node {@code running}: {@code {"active":true,"address":"ip:port"}}. */
final class RunningNode {
    private static final Pattern ADDRESS = Pattern.compile("\"address\"\\s*:\\s*\"([^\"]+)\"");
    private static final Pattern INACTIVE = Pattern.compile("\"active\"\\s*:\\s*false");

    private RunningNode() {}

    /** The address of the server that it names; empty if it names none, or one that is to give the destination up. */
    static Optional<String> owner(byte @Nullable [] data) {
        String text = data == null ? "" : new String(data, StandardCharsets.UTF_8);
        Matcher address = ADDRESS.matcher(text);
        return !INACTIVE.matcher(text).find() && address.find() ? Optional.of(address.group(1)) : Optional.empty();
    }
}
