package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.SECRET;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.integer;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Secret;

/** The keys of the management port, which canal's consoles use. */
public final class AdminKeys {
    public static final KeyGroup GROUP = new KeyGroup("The management port");

    public static final Key<Integer> PORT = GROUP.add(Key.server("canal.admin.port", integer(0, 65535), "")
            .described("The [management port](management-port.md), `11110` in canal; blank: none; 0: any that is free."
                    + " If it cannot be opened the log says so, and the server runs."));
    public static final Key<Secret> PASSWORD = GROUP.add(Key.server("canal.admin.passwd", SECRET, "")
            .described(
                    "40 hexadecimal digits, `SHA1(SHA1(password))`. Without a password the port stays closed. So it does with a"
                            + " well-known one (`admin`, as in the file that canal ships, `canal`, `123456`), unless"
                            + " `canal.admin.ip` is a loopback address. A warning at the start says so."));
    public static final Key<String> USER = GROUP.add(
            Key.server("canal.admin.user", TEXT, "").described("The user name that consoles must send; blank: any."));
    public static final Key<String> ADDRESS = GROUP.add(Key.server("canal.admin.ip", TEXT, "")
            .ours()
            .described("The address to listen on; blank: that of `canal.ip`, and if that is blank, too, all."));
    public static final PortTlsKeys TLS = PortTlsKeys.of("canal.admin.tls.", "consoles");

    static {
        TLS.all().forEach(GROUP::add);
    }

    private AdminKeys() {}
}
