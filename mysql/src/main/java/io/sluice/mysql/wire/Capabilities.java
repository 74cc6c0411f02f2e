package io.sluice.mysql.wire;

/**
 * The capability flags that this client uses. Page <em>Capabilities Flags</em> of MySQL's source code documentation.
 *
 * <p>{@code CLIENT_DEPRECATE_EOF} is not among them: without it, columns and rows end with an EOF packet, which every
 * server and proxy since 4.1 can send, so there is one way to read a result instead of two. Neither are compression, local
 * files (a server could then request any file of this process), multiple statements and multiple results.
 */
final class Capabilities {
    static final int LONG_PASSWORD = 1;
    static final int LONG_FLAG = 1 << 2;
    static final int CONNECT_WITH_DB = 1 << 3;
    static final int PROTOCOL_41 = 1 << 9;
    static final int SSL = 1 << 11;
    static final int TRANSACTIONS = 1 << 13;
    static final int SECURE_CONNECTION = 1 << 15;
    static final int PLUGIN_AUTH = 1 << 19;
    static final int PLUGIN_AUTH_LENENC_CLIENT_DATA = 1 << 21;

    /** Without these a server is older than 5.0, and of no use here. */
    static final int NEEDED = PROTOCOL_41 | SECURE_CONNECTION;

    /** The flags that are used if the server has them. */
    static final int WANTED =
            NEEDED | LONG_PASSWORD | LONG_FLAG | TRANSACTIONS | PLUGIN_AUTH | PLUGIN_AUTH_LENENC_CLIENT_DATA;

    private Capabilities() {}
}
