package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.BOOLEAN;
import static io.sluice.server.config.text.ValueType.SECRET;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.bytes;
import static io.sluice.server.config.text.ValueType.integer;
import static io.sluice.server.config.text.ValueType.millis;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Secret;
import java.time.Duration;

/** The keys of the port where clients pull. */
public final class PullKeys {
    public static final KeyGroup GROUP = new KeyGroup("Clients that pull");

    public static final Key<String> LISTEN_ADDRESS = GROUP.add(Key.server("canal.ip", TEXT, "")
            .described("The address to listen on; blank: all, which needs a password."));
    public static final Key<Integer> PORT = GROUP.add(Key.server("canal.port", integer(0, 65535), "11111")
            .described("The port where clients pull; 0: any that is free."));
    public static final Key<String> USER = GROUP.add(Key.server("canal.user", TEXT, "")
            .described("The user name that clients must send; blank: any. Needs `canal.passwd`."));
    public static final Key<Secret> STORED_PASSWORD = GROUP.add(
            Key.server("canal.passwd", SECRET, "")
                    .described(
                            "40 hexadecimal digits, `SHA1(SHA1(password))`; blank: no password is asked for, which is accepted on a"
                                    + " loopback address only, as are the empty password and those that are published (`admin`, `canal`, `123456`)."));
    public static final Key<Boolean> ALLOW_ANONYMOUS =
            GROUP.add(Key.server("canal.tcp.allow.anonymous", BOOLEAN, "false")
                    .ours()
                    .described("`true`: no password is required on any address, with a warning at each start. See"
                            + " [Security](security.md#ports-and-passwords-in-detail)."));
    public static final Key<String> WITHOUT_PORT = GROUP.add(Key.server("canal.withoutNetty", TEXT, "")
            .shipped("false")
            .defaulting("`false`")
            .described("Anything but `false` keeps the port closed, also if it is set to nothing."));
    public static final Key<Integer> MAX_CONNECTIONS =
            GROUP.add(Key.server("canal.tcp.max.connections", integer(1, 1_000_000), "4096")
                    .ours()
                    .described("The number of connections at a time; more are closed at once."));
    public static final Key<Integer> MAX_SUBSCRIPTIONS = GROUP.add(Key.server(
                    "canal.tcp.max.subscriptions", integer(1, 65_536), "100")
            .ours()
            .described("The number of client ids that may be subscribed to one destination; more are rejected."));
    public static final Key<Integer> MAX_UNAUTHENTICATED =
            GROUP.add(Key.server("canal.tcp.max.unauthenticated", integer(1, 1_000_000), "512")
                    .ours()
                    .described("The number of connections that have not logged in; a new one pushes the oldest out."));
    public static final Key<Integer> MAX_ACCEPTS =
            GROUP.add(Key.server("canal.tcp.max.accepts.per.second", integer(1, 1_000_000), "1000")
                    .ours()
                    .described("The number of new connections in a second; more wait, and are not rejected."));
    public static final Key<Integer> MAX_FRAME =
            GROUP.add(Key.server("canal.tcp.max.frame", bytes(8192, 1 << 28), "1048576")
                    .ours()
                    .described("The longest request; before the login it is 8192 bytes."));
    public static final Key<Duration> HANDSHAKE_TIMEOUT =
            GROUP.add(Key.server("canal.tcp.handshake.timeout", millis(1), "30000")
                    .ours()
                    .described("The time that a client has to log in."));
    public static final Key<Duration> IDLE_TIMEOUT =
            GROUP.add(Key.server("canal.tcp.idle.timeout", millis(1), "3600000")
                    .ours()
                    .described("The longest silence that a client may ask for, and gets if it asks for none."));
    public static final Key<Duration> WRITE_TIMEOUT =
            GROUP.add(Key.server("canal.tcp.write.timeout", millis(1), "300000")
                    .ours()
                    .described("How long a client may leave an answer unread."));
    public static final PortTlsKeys TLS = PortTlsKeys.of("canal.tcp.tls.", "clients");

    static {
        TLS.all().forEach(GROUP::add);
    }

    private PullKeys() {}
}
