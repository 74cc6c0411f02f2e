package io.sluice.connector.rabbitmq.settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a node of the broker is, and the account to log in with.
 *
 * @param password never to be shown
 * @param tls whether the address itself asks for TLS
 */
public record Address(String host, int port, boolean tls, String username, String password, String virtualHost) {
    private static final int PORT = 5672;
    private static final int TLS_PORT = 5671;
    private static final String GUEST = "guest";
    private static final int MAX_PORT = 65_535;

    /** What an address has that names nothing but a host. */
    private static final Address DEFAULTS = new Address("", PORT, false, GUEST, GUEST, "/");

    /**
     * Reads {@code rabbitmq.host}: addresses that are separated by commas, each of them {@code host}, {@code host:port},
     * {@code [IPv6]:port}, or a URI of the scheme {@code amqp} or {@code amqps}. Account and virtual host that an address does not name are those of the
     * first one, and so is TLS for an address that is no URI.
     *
     * @param tls whether TLS is asked for besides; it chooses the port where none is given
     * @return one or more
     * @throws IllegalArgumentException that states what is wrong, without a password
     */
    public static List<Address> parse(String text, boolean tls) {
        List<String> texts = split(text);
        List<Address> addresses = new ArrayList<>();
        for (String each : texts) {
            try {
                addresses.add(parse(each, tls, addresses.isEmpty() ? DEFAULTS : addresses.get(0)));
            } catch (IllegalArgumentException e) {
                throw texts.size() == 1
                        ? e
                        : new IllegalArgumentException(
                                "address %d %s".formatted(addresses.size() + 1, e.getMessage()), e);
            }
        }
        return List.copyOf(addresses);
    }

    /** At the commas, but not at one in the password of a URI. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int comma = text.indexOf(','); comma >= 0; comma = text.indexOf(',', comma + 1)) {
            if (!isInPassword(text, start, comma)) {
                parts.add(text.substring(start, comma).strip());
                start = comma + 1;
            }
        }
        parts.add(text.substring(start).strip());
        return parts;
    }

    /** Whether a URI begins at {@code start} that has a colon before the comma, and its {@code @} after it. */
    private static boolean isInPassword(String text, int start, int comma) {
        String before = text.substring(start, comma).strip();
        if (!isUri(before) || before.indexOf('@') >= 0 || before.indexOf(':', before.indexOf("://") + 1) < 0) {
            return false;
        }
        int at = text.indexOf('@', comma);
        int nextUri = text.indexOf("://", comma);
        return at >= 0 && (nextUri < 0 || at < nextUri);
    }

    private static boolean isUri(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.startsWith("amqp://") || lower.startsWith("amqps://");
    }

    private static Address parse(String text, boolean tls, Address defaults) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("names no host");
        }
        boolean isUri = isUri(text);
        if (!isUri && text.contains("://")) {
            throw new IllegalArgumentException("must be a host, host:port, or a URI of amqp:// or amqps://");
        }
        boolean secure = tls || (isUri ? text.toLowerCase(Locale.ROOT).startsWith("amqps") : defaults.tls());
        URI uri = uri(isUri ? text : "amqp://" + text);
        Endpoint endpoint = Endpoint.of(uri);
        if (endpoint.port() == 0 || endpoint.port() > MAX_PORT) {
            throw new IllegalArgumentException("has the port %d, must be 1 to 65535".formatted(endpoint.port()));
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        if (path.indexOf('/', 1) > 0 || uri.getRawQuery() != null || (!isUri && !path.isEmpty())) {
            throw new IllegalArgumentException(
                    "has more after the host than a virtual host; with each / in it percent-encoded");
        }
        String user = endpoint.user();
        int colon = user.indexOf(':');
        return new Address(
                endpoint.host().startsWith("[")
                        ? endpoint.host().substring(1, endpoint.host().length() - 1)
                        : endpoint.host(),
                endpoint.port() > 0 ? endpoint.port() : secure ? TLS_PORT : PORT,
                secure,
                user.isEmpty() ? defaults.username() : decode(colon < 0 ? user : user.substring(0, colon)),
                user.isEmpty() ? defaults.password() : colon < 0 ? GUEST : decode(user.substring(colon + 1)),
                path.length() > 1 ? decode(path.substring(1)) : defaults.virtualHost());
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

    /** Returns a copy with the given host. */
    public Address at(String otherHost) {
        return new Address(otherHost, port, tls, username, password, virtualHost);
    }

    /** {@code host:port} or {@code [IPv6]:port}, for messages. */
    public String hostAndPort() {
        return host.indexOf(':') >= 0 ? "[%s]:%d".formatted(host, port) : host + ":" + port;
    }

    /**
     * The authority of a URI.
     *
     * @param user user and password, as they are written; may be empty
     * @param port -1 if there is none
     */
    private record Endpoint(String user, String host, int port) {
        /** {@link URI} knows none of its parts if the host has an underscore, as names of containers may. */
        private static final Pattern WITH_UNDERSCORE =
                Pattern.compile("(?:(?<user>[^@]*)@)?(?<host>[\\w.-]+)(?::(?<port>\\d{1,9}))?");

        static Endpoint of(URI uri) {
            String host = uri.getHost();
            if (host != null && !host.isEmpty()) {
                return new Endpoint(uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo(), host, uri.getPort());
            }
            Matcher parts = WITH_UNDERSCORE.matcher(String.valueOf(uri.getRawAuthority()));
            if (uri.getRawAuthority() == null || !parts.matches()) {
                throw new IllegalArgumentException("names no host, or one with a letter that no host's name has");
            }
            String user = parts.group("user");
            String port = parts.group("port");
            return new Endpoint(
                    user == null ? "" : user, parts.group("host"), port == null ? -1 : Integer.parseInt(port));
        }
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
        return "%s@%s%s".formatted(username, hostAndPort(), virtualHost);
    }
}
