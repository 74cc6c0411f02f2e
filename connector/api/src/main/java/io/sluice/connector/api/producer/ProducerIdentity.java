package io.sluice.connector.api.producer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * What a broker may know the producers of a destination by, so that one after a restart or a fail-over takes the place of the one before.
 * Not a secret, and no proof: servers that know nothing of each other may have destinations of the same name.
 */
public final class ProducerIdentity {
    private static final int MAX_LENGTH = 60;
    private static final int HASH_LENGTH = 12;

    private ProducerIdentity() {}

    /**
     * The identity of a destination's producers: the same on all servers that share the destination; if this process is the only one, the same
     * on this host and in this folder.
     *
     * @return empty if the destination has no name
     */
    public static String of(String destination, Ownership ownership) {
        if (destination.isEmpty()) {
            return "";
        }
        String place = ownership.epoch() == 0 ? host() + "\n" + System.getProperty("user.dir", "") : "";
        boolean isShort = destination.length() <= MAX_LENGTH;
        if (isShort && place.isEmpty()) {
            return destination;
        }
        String hash = UUID.nameUUIDFromBytes((destination + "\n" + place).getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "")
                .substring(0, HASH_LENGTH);
        return (isShort ? destination : destination.substring(0, MAX_LENGTH)) + "-" + hash;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return ""; // the folder tells
        }
    }
}
