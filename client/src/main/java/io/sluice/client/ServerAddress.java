package io.sluice.client;

/**
 * Where a server listens for clients.
 *
 * @param host its name or address
 * @param port usually 11111
 */
public record ServerAddress(String host, int port) {
    private static final int LARGEST_PORT = 65_535;

    public ServerAddress {
        if (host.isBlank() || port < 1 || port > LARGEST_PORT) {
            throw new IllegalArgumentException("not the address of a server: %s:%d".formatted(host, port));
        }
    }

    /**
     * Reads {@code host:port}.
     *
     * @throws IllegalArgumentException if it is not that
     */
    public static ServerAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            return new ServerAddress(
                    text.substring(0, Math.max(0, colon)), Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a server's host:port: " + text, e);
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
