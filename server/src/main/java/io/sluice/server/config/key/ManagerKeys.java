package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.BOOLEAN;
import static io.sluice.server.config.text.ValueType.SECRET;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.URL_TEXT;
import static io.sluice.server.config.text.ValueType.seconds;
import static io.sluice.server.config.text.ValueType.text;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Secret;
import java.time.Duration;

/** The keys of a server whose configuration is at an admin server. They count in the local file only. */
public final class ManagerKeys {
    public static final KeyGroup GROUP = new KeyGroup("Configuration from an admin server");

    public static final Key<String> ADDRESS = GROUP.add(
            Key.server(
                            "canal.admin.manager",
                            text(
                                    "host:port, or a URL that begins with http:// or https://, without user, query and fragment"),
                            "")
                    .described(
                            "The [admin server](admin-config.md) that has the configuration of this"
                                    + " server and of its instances, `host:port` or a URL. It is sent `canal.admin.user` and"
                                    + " `canal.admin.passwd`, which must be set, so it should be `https`. Blank: the configuration is in files."));
    public static final Key<Boolean> REGISTER = GROUP.add(Key.server("canal.admin.register.auto", BOOLEAN, "false")
            .described("Whether the admin server adds this server if it does not know it."));
    public static final Key<String> CLUSTER = GROUP.add(Key.server("canal.admin.register.cluster", TEXT, "")
            .described("The cluster to which it then adds it, which must exist there; blank: none."));
    public static final Key<String> NAME = GROUP.add(Key.server("canal.admin.register.name", TEXT, "")
            .defaulting("the host name")
            .described("The name that it then shows."));
    public static final Key<Boolean> KEEPS_COPY = GROUP.add(Key.server("canal.admin.copy.enable", BOOLEAN, "true")
            .ours()
            .described(
                    "Whether the last configuration that was right is kept in a file, and a start that cannot reach the admin"
                            + " server uses it. `false`: such a start fails, as canal's does."));
    public static final Key<String> COPY =
            GROUP.add(Key.server("canal.admin.copy.file", TEXT, "../conf/canal-admin-copy.json")
                    .ours()
                    .described("That file. It holds passwords; the owner alone can read it."));
    public static final Key<Duration> START_LIMIT = GROUP.add(Key.server("canal.admin.start.timeout", seconds(0), "30")
            .ours()
            .described("How long a start without such a file tries to reach the admin server."));
    public static final Key<String> FILE_DIRECTORIES = GROUP.add(
            Key.server("canal.admin.manager.fileDirectories", TEXT, "")
                    .ours()
                    .defaulting(
                            "`/run/secrets`, `/var/run/secrets`, and the directory that the variable `CREDENTIALS_DIRECTORY` names")
                    .described(
                            "The directories, separated by commas, of whose files `${file:path}` in a text of the admin server may be; those that"
                                    + " the local file itself names may always be. Others are a problem of the text: the values of a text are sent to"
                                    + " hosts that it names, so a user that can edit it could read every file that the server can."));
    public static final Key<String> TRUST = GROUP.add(Key.server("canal.admin.manager.tls.trustStore", URL_TEXT, "")
            .ours()
            .described(
                    "The certificates that are trusted of an `https` address; blank: those that the JVM trusts. Canal trusts"
                            + " all."));
    public static final Key<String> TRUST_TYPE =
            GROUP.add(Key.server("canal.admin.manager.tls.trustStoreType", TEXT, "PKCS12")
                    .ours()
                    .described("`PKCS12`, `JKS`, or `PEM` for a file with certificates."));
    public static final Key<Secret> TRUST_PASSWORD =
            GROUP.add(Key.server("canal.admin.manager.tls.trustStorePassword", SECRET, "")
                    .ours()
                    .described("The password of that file."));

    private ManagerKeys() {}
}
