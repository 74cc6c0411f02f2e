package io.sluice.server.config.text;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * Decides by its text whether the host of a URL is this machine. Names are not resolved, and only {@code localhost} is one of this machine: the
 * address of another name can change, and {@code 127.example.org} is a name.
 */
public final class LoopbackHost {
    private static final Pattern IPV4 = Pattern.compile("127(?:\\.(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)){3}");

    private LoopbackHost() {}

    /**
     * Whether traffic to a host stays on this machine.
     *
     * @param host as {@link java.net.URI#getHost} has it: IPv6 in brackets
     */
    public static boolean is(String host) {
        return host.equalsIgnoreCase("localhost")
                || IPV4.matcher(host).matches()
                || host.startsWith("[") && isLoopbackIpv6(host);
    }

    private static boolean isLoopbackIpv6(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress(); // does not resolve what is in brackets
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
