package io.sluice.admin.fleet.control;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * Where a control API is.
 *
 * @param secure whether it is called by TLS
 * @param host a name or an address; one of IPv6 without brackets
 * @param port of the control API
 */
public record ControlUrl(boolean secure, String host, int port) {
    /** The port of a control API unless it is configured. */
    public static final int DEFAULT_PORT = 11113;

    private static final int MAX_LENGTH = 500;

    /**
     * Reads a URL such as {@code https://10.0.0.7:11113}.
     *
     * @throws IllegalArgumentException if it is none of a control API; the message states the reason
     */
    public static ControlUrl parse(String text) {
        URI uri;
        try {
            uri = new URI(text.strip());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "the control URL cannot be read; it is such as https://10.0.0.7:11113", e);
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http")) {
            throw new IllegalArgumentException("the control URL must begin with https:// or http://");
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException("the control URL must have no user: tokens have a field of their own");
        }
        String host = uri.getHost();
        if (host == null || host.isEmpty() || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the control URL names no host; it is such as https://10.0.0.7:11113");
        }
        String path = uri.getRawPath();
        if (path != null && !path.isEmpty() && !path.equals("/")
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "the control URL must have no path: it is such as https://10.0.0.7:11113");
        }
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("the port of the control URL must be 1 to 65535");
        }
        return new ControlUrl(scheme.equals("https"), withoutBrackets(host).toLowerCase(Locale.ROOT), port);
    }

    private static String withoutBrackets(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** The host and port, as the header {@code Host} has them. */
    String authority() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** The URL, in its usual spelling. */
    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + authority();
    }
}
