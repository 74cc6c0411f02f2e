package io.sluice.server.config.key;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Lookup;
import io.sluice.server.config.text.Setting;
import java.util.Optional;

/**
 * A key of {@code canal.properties} that is there for all destinations, {@code canal.instance.global.lazy}, and for each of them,
 * {@code canal.instance.shop.lazy}, which wins.
 *
 * <p>The value of a destination is checked by what reads it, under the name that counts: one that does not count may be wrong.
 *
 * @param ofAll the key of all destinations, with what holds if none of the two is set
 * @param suffix how both end, such as {@code .lazy}
 */
public record PerDestinationKey<T>(Key<T> ofAll, String suffix) {
    private static final String PREFIX = "canal.instance.";
    private static final String ALL = PREFIX + "global";

    /**
     * Creates one.
     *
     * @param ofAll the key of all destinations
     */
    static <T> PerDestinationKey<T> of(Key<T> ofAll) {
        return new PerDestinationKey<>(ofAll, ofAll.name().substring(ALL.length()));
    }

    /** The name of the key of all destinations. */
    static String nameOfAll(String suffix) {
        return ALL + suffix;
    }

    /** Whether a name is that of a key of all destinations. */
    public static boolean isOfAll(String name) {
        return name.startsWith(ALL + ".");
    }

    /** The name that the key has for one destination. */
    public String nameOf(String destination) {
        return PREFIX + destination + suffix;
    }

    /** The key that counts for a destination: its own, if that is set and not blank, else that of all. */
    public Key<T> countingFor(String destination, Lookup server) {
        String own = nameOf(destination);
        Setting setting = server.find(own);
        boolean isSet = setting != null && (!setting.isBlank() || setting.isUnusable());
        return isSet ? ofAll.named(own) : ofAll;
    }

    /** The destination in a name of this key, {@code global} in that of all; empty if it is none of its names. */
    Optional<String> destinationIn(String name) {
        int length = name.length() - PREFIX.length() - suffix.length();
        return length > 0 && name.startsWith(PREFIX) && name.endsWith(suffix)
                ? Optional.of(name.substring(PREFIX.length(), PREFIX.length() + length))
                : Optional.empty();
    }
}
