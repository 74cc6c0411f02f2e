package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.HOST_PORT;
import static io.sluice.server.config.text.ValueType.LIST;
import static io.sluice.server.config.text.ValueType.SECRET;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.URL_TEXT;
import static io.sluice.server.config.text.ValueType.WORDY_BOOLEAN;
import static io.sluice.server.config.text.ValueType.longInteger;
import static io.sluice.server.config.text.ValueType.oneOf;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.ValueType;
import java.util.List;

/** The keys of the MySQL server that an instance reads, and of where it begins there. */
public final class SourceKeys {
    public static final KeyGroup GROUP = new KeyGroup("An instance: the source");

    public static final Key<ServerAddress> ADDRESS =
            GROUP.add(Key.instance("canal.instance.master.address", HOST_PORT, "")
                    .defaulting("required")
                    .described("The MySQL or MariaDB server to read."));
    public static final Key<String> USERNAME = GROUP.add(Key.instance("canal.instance.dbUsername", TEXT, "retl")
            .shipped("canal")
            .described("The user of the login; needs SELECT, REPLICATION SLAVE and REPLICATION CLIENT."));
    public static final Key<Secret> PASSWORD = GROUP.add(
            Key.instance("canal.instance.dbPassword", SECRET, "retl")
                    .shipped("canal")
                    .described(
                            "The password of that user; best given as `${file:/run/secrets/…}` or `${env:…}`. Blank in a file: none. `retl` is used only if it is not set."));
    public static final Key<Boolean> ENCRYPTED_PASSWORD =
            GROUP.add(Key.instance("canal.instance.enableDruid", WORDY_BOOLEAN, "false")
                    .described("`true`: `canal.instance.dbPassword` is [encrypted](#encrypted-passwords)."));
    /** Not a secret in itself, but it opens the encrypted password. */
    public static final Key<Secret> PASSWORD_KEY = GROUP.add(Key.instance("canal.instance.pwdPublicKey", SECRET, "")
            .described("The key that decrypts it; required then."));

    public static final Key<String> DATABASE = GROUP.add(Key.instance("canal.instance.defaultDatabaseName", TEXT, "")
            .described("The default schema of the session."));
    public static final Key<String> CHARSET =
            GROUP.add(Key.instance("canal.instance.connectionCharset", ValueType.CHARSET, "UTF-8")
                    .described("The character set of texts for which the source names none."));
    public static final Key<Long> REPLICA_ID =
            GROUP.add(Key.instance("canal.instance.mysql.slaveId", longInteger(Long.MIN_VALUE, 0xFFFF_FFFFL), "0")
                    .described(
                            "The server id of this replica, unique among the replicas of the server; 0 or less: made of the instance's name,"
                                    + " this server's address and host name, and its folder."));
    public static final Key<Boolean> GTID = GROUP.add(
            Key.instance("canal.instance.gtidon", WORDY_BOOLEAN, "false")
                    .described(
                            "Whether messages carry the executed GTID set; only where the source has `gtid_mode=ON` (or is a MariaDB)."));
    /** Whether cursors have the GTID set where the source has one. */
    public static final Key<String> POSITION_GTIDS =
            GROUP.add(Key.instance("canal.instance.position.gtid", oneOf("auto", "off"), "auto")
                    .ours()
                    .described(
                            "`auto`: cursors have the GTID set where the source has `gtid_mode=ON` (or is a MariaDB), and the"
                                    + " source is read by it; `off`: file and offset alone."));

    /** What happens at a start at the newest position whose cursor was lost. */
    public static final Key<String> LOST_CURSOR =
            GROUP.add(Key.instance("canal.instance.position.onLost", oneOf("stop", "newest"), "stop")
                    .ours()
                    .described(
                            "Without a cursor and a position to begin at, and with a schema history of an instance that was read"
                                    + " before: `stop` it ([A lost cursor](positions.md#a-lost-cursor)), or, as canal does, begin at the `newest` position."
                                    + " Where clients pull, or cursors are in memory, it always begins there."));

    public static final Key<String> START_FILE = GROUP.add(Key.instance("canal.instance.master.journal.name", TEXT, "")
            .described(
                    "Where to begin without a cursor: a binlog file, or `earliest`, or `latest`. Without this and the"
                            + " next three keys: at the newest position."));
    public static final Key<Long> START_OFFSET =
            GROUP.add(Key.instance("canal.instance.master.position", longInteger(0, Long.MAX_VALUE), "")
                    .described("The offset in that file, in bytes."));
    public static final Key<Long> START_TIME =
            GROUP.add(Key.instance("canal.instance.master.timestamp", longInteger(0, Long.MAX_VALUE), "")
                    .described(
                            "Where to begin without a cursor: at the first transaction at or after this time, in milliseconds"
                                    + " since 1970; with `journal.name` only in that file."));
    public static final Key<String> START_GTID = GROUP.add(Key.instance("canal.instance.master.gtid", TEXT, "")
            .described("With `canal.instance.gtidon`: begin after these transactions; with `journal.name` and"
                    + " `position`, the transactions before that position."));
    public static final Key<List<String>> BINLOG_FORMATS = GROUP.add(
            Key.instance("canal.instance.binlog.format", LIST, "")
                    .shipped("ROW,STATEMENT,MIXED")
                    .defaulting("any")
                    .described(
                            "The values of `binlog_format` to accept; others stop the instance. Changes that a source logs as statements have no rows."));
    public static final Key<List<String>> BINLOG_IMAGES =
            GROUP.add(Key.instance("canal.instance.binlog.image", LIST, "")
                    .shipped("FULL,MINIMAL,NOBLOB")
                    .defaulting("any")
                    .described("The values of `binlog_row_image` to accept."));

    public static final Key<TlsMode> TLS_MODE = GROUP.add(Key.instance(
                    "canal.instance.master.sslMode", oneOf(TlsMode.class, TlsMode::name), "DISABLED")
            .described("TLS to the source. `PREFERRED`: plain if it has no TLS; `REQUIRED`: any certificate will do;"
                    + " `VERIFY_CA`: one that is trusted; `VERIFY_IDENTITY`: one that is for its host name, too."));
    public static final Key<Boolean> ALLOW_KEY_RETRIEVAL = GROUP.add(Key.instance(
                    "canal.instance.master.allowPublicKeyRetrieval", WORDY_BOOLEAN, "false")
            .ours()
            .described("`true`: over a plain connection the password may be encrypted by a public key that the server"
                    + " sends, as with Connector/J. See [Security](security.md#ports-and-passwords-in-detail)."));
    public static final Key<String> SERVER_KEY_FILE =
            GROUP.add(Key.instance("canal.instance.master.serverRSAPublicKeyFile", TEXT, "")
                    .ours()
                    .described("A file with the server's public key (`public_key.pem`), which is used instead."));
    public static final Key<Boolean> ENABLE_CLEARTEXT =
            GROUP.add(Key.instance("canal.instance.master.enableCleartextPlugin", WORDY_BOOLEAN, "false")
                    .ours()
                    .described(
                            "`true`: accounts that are checked by PAM or LDAP (`mysql_clear_password`) can log in, over TLS or"
                                    + " to a loopback address only."));
    public static final Key<List<String>> TLS_VERSIONS =
            GROUP.add(Key.instance("canal.instance.master.tlsVersions", LIST, "TLSv1.2,TLSv1.3")
                    .described("The versions of TLS that may be spoken."));
    public static final Key<String> TRUST_TYPE =
            GROUP.add(Key.instance("canal.instance.master.trustCertificateKeyStoreType", TEXT, "JKS")
                    .described("The format of the next one: `PKCS12`, `JKS`, or `PEM` for a file with certificates."));
    public static final Key<String> TRUST_URL =
            GROUP.add(Key.instance("canal.instance.master.trustCertificateKeyStoreUrl", URL_TEXT, "")
                    .described("The certificates that are trusted; blank: those that the JVM trusts."));
    public static final Key<Secret> TRUST_PASSWORD =
            GROUP.add(Key.instance("canal.instance.master.trustCertificateKeyStorePassword", SECRET, "")
                    .described("The password of that file."));
    public static final Key<String> CLIENT_TYPE = GROUP.add(Key.instance(
                    "canal.instance.master.clientCertificateKeyStoreType", TEXT, "JKS")
            .described("The format of the next one: `PKCS12`, `JKS`, or `PEM` for a file with certificates and a key"
                    + " without a password."));
    public static final Key<String> CLIENT_URL =
            GROUP.add(Key.instance("canal.instance.master.clientCertificateKeyStoreUrl", URL_TEXT, "")
                    .described("The certificate of this replica and its key; blank: none."));
    public static final Key<Secret> CLIENT_PASSWORD =
            GROUP.add(Key.instance("canal.instance.master.clientCertificateKeyStorePassword", SECRET, "")
                    .described("The password of that file."));

    public static final HostKeys MASTER = new HostKeys(
            ADDRESS,
            START_FILE,
            START_OFFSET,
            START_TIME,
            START_GTID,
            TLS_MODE,
            TLS_VERSIONS,
            TRUST_TYPE,
            TRUST_URL,
            TRUST_PASSWORD,
            CLIENT_TYPE,
            CLIENT_URL,
            CLIENT_PASSWORD,
            ALLOW_KEY_RETRIEVAL,
            SERVER_KEY_FILE,
            ENABLE_CLEARTEXT);

    private SourceKeys() {}
}
