package io.sluice.server.config.read;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Decides whether only this machine reaches an address to listen on. */
final class LoopbackAddress {
    private LoopbackAddress() {}

    /** Whether all addresses of a name are loopback addresses; false for a blank one, which means all addresses. */
    static boolean is(String address) {
        if (address.isBlank()) {
            return false;
        }
        try {
            return Arrays.stream(InetAddress.getAllByName(address)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false; // opening the port reports it
        }
    }
}
