package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.BOOLEAN;
import static io.sluice.server.config.text.ValueType.LIST;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.integer;

import io.sluice.server.config.text.Key;
import java.util.List;

/** The keys of the port of the control API; canal has none of them. */
public final class ControlKeys {
    public static final KeyGroup GROUP = new KeyGroup("The control API");

    public static final Key<Integer> PORT = GROUP.add(Key.server("canal.control.port", integer(-1, 65535), "11113")
            .ours()
            .described(
                    "The port of the [control API](control.md), over HTTP; 0 or less: none. It is opened only if a token or a"
                            + " certificate may call it."));
    public static final Key<String> ADDRESS = GROUP.add(Key.server("canal.control.ip", TEXT, "127.0.0.1")
            .ours()
            .described("The address to listen on. Another than the loopback one needs TLS."));
    public static final Key<String> ACCESS =
            GROUP.add(Key.server("canal.control.access.file", TEXT, "../conf/control-access")
                    .ours()
                    .described(
                            "The file with the tokens that may call, which `sluice.sh token` writes; it need not exist. It is read again"
                                    + " when it has changed."));
    public static final Key<List<String>> CERTIFICATES = GROUP.add(
            Key.server("canal.control.certificates", LIST, "")
                    .ours()
                    .described(
                            "The roles of callers by the common names of their certificates, such as"
                                    + " `ops=administrator,dashboard=viewer`. The roles are `viewer`, `operator` and `administrator`."));
    public static final Key<Boolean> PLAINTEXT = GROUP.add(
            Key.server("canal.control.allow.plaintext", BOOLEAN, "false")
                    .ours()
                    .described(
                            "Whether tokens may be sent over the network without TLS, where something else protects the network."));
    public static final PortTlsKeys TLS = PortTlsKeys.of("canal.control.tls.", "callers");

    static {
        TLS.all().forEach(GROUP::add);
    }

    private ControlKeys() {}
}
