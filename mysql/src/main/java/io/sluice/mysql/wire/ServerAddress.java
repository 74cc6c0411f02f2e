package io.sluice.mysql.wire;

/**
 * Host and port of a MySQL server.
 *
 * @param host a name or an IP address; an IPv6 address is here without brackets
 * @param port 1 to 65535
 */
public record ServerAddress(String host, int port) {
    /** @throws IllegalArgumentException if the host is blank or the port is out of range */
    public ServerAddress {
        if (host.isBlank()) {
            throw new IllegalArgumentException("server address has no host");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port of server %s is outside 1..65535: %d".formatted(host, port));
        }
    }

    /**
     * Reads {@code host:port}, for IPv6 {@code [address]:port}.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    public static ServerAddress parse(String text) {
        String trimmed = text.trim();
        int colon = trimmed.lastIndexOf(':');
        if (colon < 0) {
            throw malformed(text, "it has no port");
        }
        String host = trimmed.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw malformed(text, "an IPv6 address needs brackets");
        }
        if (host.indexOf(',') >= 0) {
            throw malformed(text, "it is one server, and has several");
        }
        int port;
        try {
            port = Integer.parseInt(trimmed.substring(colon + 1));
        } catch (NumberFormatException e) {
            throw malformed(text, "the port is not a number");
        }
        return new ServerAddress(host, port);
    }

    private static IllegalArgumentException malformed(String text, String reason) {
        return new IllegalArgumentException(
                "not a server address: '%s': %s; expected host:port or [IPv6 address]:port".formatted(text, reason));
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
