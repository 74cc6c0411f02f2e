package io.sluice.connector.rabbitmq;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Where the broker is, and as whom we go there.
 *
 * @param password never to be shown
 * @param tls whether the address itself asks for TLS
 */
record Address(String host, int port, boolean tls, String username, String password, String virtualHost) {
    private static final int PORT = 5672;
    private static final int TLS_PORT = 5671;
    private static final String GUEST = "guest";
    private static final int MAX_PORT = 65_535;

    /**
     * Reads {@code rabbitmq.host}: {@code host}, {@code host:port}, {@code [IPv6]:port}, or a URI of the scheme
     * {@code amqp} or {@code amqps}.
     *
     * @param tls whether TLS is asked for besides; it chooses the port where none is given
     * @throws IllegalArgumentException that says what is wrong, without a password
     */
    static Address parse(String text, boolean tls) {
        String lower = text.toLowerCase(Locale.ROOT);
        boolean isUri = lower.startsWith("amqp://") || lower.startsWith("amqps://");
        if (!isUri && text.contains("://")) {
            throw new IllegalArgumentException("must be a host, host:port, or a URI of amqp:// or amqps://");
        }
        boolean secure = tls || lower.startsWith("amqps");
        URI uri = uri(isUri ? text : "amqp://" + text);
        String host = uri.getHost();
        if (host == null || host.isEmpty()) {
            throw new IllegalArgumentException("names no host, or one with a letter that no host's name has");
        }
        if (uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
            throw new IllegalArgumentException("has the port %d, must be 1 to 65535".formatted(uri.getPort()));
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        if (path.indexOf('/', 1) > 0 || uri.getRawQuery() != null || (!isUri && !path.isEmpty())) {
            throw new IllegalArgumentException(
                    "has more behind the host than a virtual host; with each / in it percent-encoded");
        }
        String user = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo();
        int colon = user.indexOf(':');
        return new Address(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                uri.getPort() > 0 ? uri.getPort() : secure ? TLS_PORT : PORT,
                secure,
                user.isEmpty() ? GUEST : decode(colon < 0 ? user : user.substring(0, colon)),
                colon < 0 ? GUEST : decode(user.substring(colon + 1)),
                path.length() > 1 ? decode(path.substring(1)) : "/");
    }

    /** With what is given besides the address; what is blank is left as it is. */
    Address with(String otherUsername, String otherPassword, String otherVirtualHost) {
        return new Address(
                host,
                port,
                tls,
                otherUsername.isBlank() ? username : otherUsername,
                otherPassword.isBlank() ? password : otherPassword,
                otherVirtualHost.isBlank() ? virtualHost : otherVirtualHost);
    }

    /** {@code host:port}, for messages. */
    String place() {
        return host + ":" + port;
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("is not a host, host:port, or URI: " + e.getReason(), e);
        }
    }

    /** A plus is a plus, other than in forms. */
    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2b"), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "%s@%s%s".formatted(username, place(), virtualHost);
    }
}
