package io.sluice.server.config;

/** A server's address; the host is a name, an IPv4 address, or an IPv6 address without its brackets. */
public record HostPort(String host, int port) {
    public HostPort {
        if (host.isBlank() || host.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("not a host: '" + host + "'");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("not a port: " + port);
        }
    }

    /** Reads {@code host:port} or {@code [ipv6]:port}. */
    static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("has no port: " + text);
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("an IPv6 address needs brackets: " + text);
        }
        return new HostPort(host, Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
