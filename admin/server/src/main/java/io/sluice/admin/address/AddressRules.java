package io.sluice.admin.address;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Set;

/**
 * Rejects addresses at which no managed server can be, but services of a network that trust any caller: link-local addresses (where
 * clouds answer with credentials), multicast, and the unspecified address. Addresses of IPv4 within those of IPv6 are seen through.
 */
public final class AddressRules {
    /** Metadata services of clouds that are not link-local. */
    private static final Set<String> METADATA = Set.of(
            "100.100.100.200", "fd00:ec2:0:0:0:0:0:254", "fd20:ce:0:0:0:0:0:254", "192.0.0.192", "168.63.129.16");

    private static final byte[] NAT64 = {0, 0x64, (byte) 0xff, (byte) 0x9b, 0, 0, 0, 0, 0, 0, 0, 0};
    private static final byte[] TRANSLATED = {0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, 0, 0};

    private AddressRules() {}

    /**
     * Rejects an address that must not be connected to.
     *
     * @param host the name it comes from, for the message
     * @throws AddressRejectedException if it is one of those
     */
    public static void check(String host, InetAddress address) throws AddressRejectedException {
        InetAddress meant = unwrapped(address);
        if (meant.isLinkLocalAddress()
                || meant.isMulticastAddress()
                || meant.isAnyLocalAddress()
                || isReserved(meant)
                || METADATA.contains(withoutScope(meant.getHostAddress()))) {
            throw new AddressRejectedException(
                    "%s has the address %s, which is link-local, multicast, unspecified or a metadata service: no managed server can be there. Give the address of the server"
                            .formatted(host, withoutScope(address.getHostAddress())));
        }
    }

    /** 0.0.0.0/8, 240.0.0.0/4 and the broadcast address; some systems take the first for this machine. */
    private static boolean isReserved(InetAddress address) {
        byte[] bytes = address.getAddress();
        int first = bytes[0] & 0xff;
        return bytes.length == 4 && (first == 0 || first >= 240);
    }

    /** Returns the IPv4 address that is mapped into an IPv6 address. */
    private static InetAddress unwrapped(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        boolean isTranslated = Arrays.equals(bytes, 0, 12, TRANSLATED, 0, 12);
        boolean isNat64 = Arrays.equals(bytes, 0, 12, NAT64, 0, 12);
        boolean isCompatible = Arrays.equals(bytes, 0, 12, new byte[12], 0, 12) && !address.isLoopbackAddress();
        boolean is6To4 = bytes[0] == 0x20 && bytes[1] == 0x02;
        try {
            if (isNat64 || isTranslated || isCompatible && !address.isAnyLocalAddress()) {
                return InetAddress.getByAddress(Arrays.copyOfRange(bytes, 12, 16));
            }
            return is6To4 ? InetAddress.getByAddress(Arrays.copyOfRange(bytes, 2, 6)) : address;
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }

    private static String withoutScope(String address) {
        int scope = address.indexOf('%');
        return scope < 0 ? address : address.substring(0, scope);
    }
}
