package io.sluice.mysql.wire;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.auth.AuthPlugin;
import io.sluice.mysql.wire.auth.AuthPlugins;
import io.sluice.mysql.wire.auth.PasswordSending;
import io.sluice.mysql.wire.auth.UnprotectedPasswordException;
import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.packet.ErrorPacket;
import io.sluice.mysql.wire.packet.PacketChannel;
import io.sluice.mysql.wire.packet.Payload;
import io.sluice.mysql.wire.packet.PayloadBuilder;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;

/**
 * Performs the connection phase: greeting, TLS, handshake response, and the rounds of the authentication plugin. Page
 * <em>Connection Phase</em> of MySQL's source code documentation.
 *
 * <pre>
 *   server                                client
 *   greeting or ERR               →
 *                                 ←       TLS request, then the TLS handshake     (if TLS is used)
 *                                 ←       handshake response
 *   switch to plugin, challenge   →       (at most a few times)
 *                                 ←       answer
 *   more data                     →       (at most a few times)
 *                                 ←       answer, if the plugin has one
 *   OK or ERR                     →
 * </pre>
 */
final class Login {
    /** Puts TLS under the channel. */
    interface TlsUpgrade {
        void upgrade() throws IOException;
    }

    private static final int OK = 0x00;
    private static final int MORE_DATA = 0x01;
    private static final int SWITCH_PLUGIN = 0xFE;

    /** {@code utf8mb4_general_ci}, which every server from 5.5 on knows, MariaDB too. */
    private static final int UTF8MB4 = 45;

    /** An upper bound of packets of a login, so that an unauthenticated server cannot exhaust memory. */
    private static final int MAXIMUM_PACKET_BYTES = 64 * 1024;

    /** The longest login, caching_sha2_password after a switch, has four rounds. */
    private static final int MAX_ROUNDS = 16;

    private static final String LOCKED_BY_LOGINS =
            "too many failed logins have locked the account, so the right password is rejected, too: run at the server ";

    private static final String DEFAULT_PLUGIN = "mysql_native_password";
    private static final String PLUGIN_TO_START_WITH = "caching_sha2_password";

    private final PacketChannel channel;
    private final ConnectOptions options;
    private final TlsUpgrade tls;
    private final ByteWriter packet = new ByteWriter(256);
    private final String doing;
    private final boolean loopback;
    private boolean greeted;
    private boolean encrypted;
    private boolean dependsOnCache;

    /**
     * Makes a login.
     *
     * @param loopback whether the server's address is one of this machine
     */
    Login(PacketChannel channel, ConnectOptions options, boolean loopback, TlsUpgrade tls) {
        this.channel = channel;
        this.options = options;
        this.loopback = loopback;
        this.tls = tls;
        this.doing = "cannot log in to %s as %s".formatted(options.address(), options.user());
    }

    /**
     * Logs in.
     *
     * @return the greeting of the server
     * @throws ServerErrorException if the server rejects the login
     * @throws UnprotectedPasswordException if the server asks for the password in a form that is not safe here
     */
    Greeting run() throws IOException {
        channel.limitTo(MAXIMUM_PACKET_BYTES);
        Payload first = channel.receive(packet);
        if (first.peek() == ErrorPacket.HEADER) {
            throw refusal(first);
        }
        Greeting greeting = Greeting.decode(first);
        greeted = true;
        if (!greeting.offers(Capabilities.NEEDED)) {
            throw new MalformedPacketException(
                    "server %s is too old: it does not speak the protocol of 4.1".formatted(greeting.version()));
        }

        int capabilities = greeting.capabilities() & Capabilities.WANTED;
        if (!options.database().isEmpty()) {
            capabilities |= Capabilities.CONNECT_WITH_DB;
        }
        if (usesTls(greeting)) {
            capabilities |= Capabilities.SSL;
            channel.send(responseStart(capabilities).build());
            tls.upgrade();
            encrypted = true;
        }

        PasswordSending sending = new PasswordSending(encrypted, loopback, options.passwords());
        String pluginName = firstPlugin(greeting, sending);
        AuthPlugin plugin = AuthPlugins.named(pluginName, options.password(), sending);
        byte[] answer = plugin.answer(greeting.challenge());
        channel.send(response(capabilities, pluginName, answer));
        dependsOnCache = authenticate(plugin, sending).dependsOnCache();
        channel.requireNothingBuffered();
        return greeting;
    }

    /** Whether the other side is a MySQL server, by its greeting, however the login has ended. */
    boolean isGreeted() {
        return greeted;
    }

    boolean isEncrypted() {
        return encrypted;
    }

    /** Whether it succeeded only because the account is in the server's cache: a full login would have been rejected here. */
    boolean dependsOnCache() {
        return dependsOnCache;
    }

    private boolean usesTls(Greeting greeting) throws IOException {
        TlsMode mode = options.tls().mode();
        if (mode == TlsMode.DISABLED) {
            return false;
        }
        boolean offered = greeting.offers(Capabilities.SSL);
        if (!offered && mode != TlsMode.PREFERRED) {
            throw new SourceException(
                    SourceFailure.AUTHENTICATION,
                    "server offers no TLS, but TLS mode is %s: set up certificates at the server".formatted(mode));
        }
        return offered;
    }

    /** The server's default plugin, or, if that is not supported here, one that is: the server then switches to the account's. */
    private static String firstPlugin(Greeting greeting, PasswordSending sending) {
        if (!greeting.offers(Capabilities.PLUGIN_AUTH) || greeting.plugin().isEmpty()) {
            return DEFAULT_PLUGIN;
        }
        if (greeting.plugin().equals("sha256_password") && !sending.allowsFullLogin()) {
            return PLUGIN_TO_START_WITH; // the account may have another one, which can be used
        }
        return AuthPlugins.isKnown(greeting.plugin()) ? greeting.plugin() : PLUGIN_TO_START_WITH;
    }

    /** The first part of the handshake response, which alone is the request for TLS. */
    private static PayloadBuilder responseStart(int capabilities) {
        return new PayloadBuilder()
                .int4(capabilities)
                .int4(ConnectOptions.DEFAULT_MAXIMUM_PACKET_BYTES)
                .int1(UTF8MB4)
                .zeroes(23);
    }

    /**
     * The handshake response. Page <em>Protocol::HandshakeResponse41</em>.
     *
     * <pre>
     *   +--------------+-------------+-----------+--------+------+--------+-----------+--------+
     *   | capabilities | max. packet | character | zeroes | user | answer | database  | plugin |
     *   | u32 LE       | u32 LE      | set u8    | 23     | NUL  | lenenc | NUL, opt. | NUL    |
     *   +--------------+-------------+-----------+--------+------+--------+-----------+--------+
     * </pre>
     */
    private byte[] response(int capabilities, String plugin, byte[] answer) throws IOException {
        // Without lenenc the answer's length is one byte, which is the same up to 250.
        if (answer.length > 250 && (capabilities & Capabilities.PLUGIN_AUTH_LENENC_CLIENT_DATA) == 0) {
            throw new SourceException(SourceFailure.AUTHENTICATION, "server cannot take a password so long");
        }
        PayloadBuilder response =
                responseStart(capabilities).textAndNul(options.user()).lengthEncoded(answer);
        if ((capabilities & Capabilities.CONNECT_WITH_DB) != 0) {
            response.textAndNul(options.database());
        }
        if ((capabilities & Capabilities.PLUGIN_AUTH) != 0) {
            response.textAndNul(plugin);
        }
        return response.build();
    }

    /** Returns the plugin that the login ended with. */
    private AuthPlugin authenticate(AuthPlugin first, PasswordSending sending) throws IOException {
        AuthPlugin plugin = first;
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Payload payload = channel.receive(packet);
            switch (payload.readByte()) {
                case OK -> {
                    return plugin;
                }
                case ErrorPacket.HEADER -> throw refusal(new Payload(packet.array(), 0, packet.size()));
                case SWITCH_PLUGIN -> {
                    if (payload.remaining() == 0) {
                        throw new SourceException(
                                SourceFailure.AUTHENTICATION,
                                "account has a password from before MySQL 4.1 (mysql_old_password);"
                                        + " set it again at the server");
                    }
                    plugin = AuthPlugins.named(payload.readTextToNul(), options.password(), sending);
                    channel.send(plugin.answer(Greeting.withoutNul(payload.readToEnd())));
                }
                case MORE_DATA -> {
                    byte[] answer = plugin.answerMore(payload.readToEnd());
                    if (answer != null) {
                        channel.send(answer);
                    }
                }
                default -> throw new MalformedPacketException("server sent neither OK nor an error during login");
            }
        }
        throw new MalformedPacketException("login has not ended after %d rounds".formatted(MAX_ROUNDS));
    }

    private ServerErrorException refusal(Payload payload) throws MalformedPacketException {
        ErrorPacket error = ErrorPacket.decode(payload);
        ServerErrorException exception = error.toException(doing, adviceFor(error.errno()));
        return greeted ? exception.ofLogin() : exception; // before the greeting, nothing of the account was sent
    }

    private String adviceFor(int errno) {
        return switch (errno) {
            case ServerErrorException.ACCESS_DENIED ->
                "check user and password, and that the account may log in from this host"
                        + (encrypted || options.passwords().serverPublicKey() == null
                                ? ""
                                : ", and that serverRSAPublicKeyFile has the key of this server");
            case 1040 -> "raise max_connections at the server, or close some";
            case 1044 -> "the account has no right to the default database";
            case 1049 -> "the default database does not exist";
            case 1129 -> "run 'flush hosts' at the server";
            case 1130 -> "create an account that may log in from this host";
            case ServerErrorException.PLUGIN_NOT_LOADED ->
                "the server does not have the authentication plugin of the account: give the account one that it has, such as"
                        + " caching_sha2_password";
            case 1862 -> "the password has expired: set a new one at the server";
            case 3118, 4151 -> "unlock the account at the server";
            case 3955 -> LOCKED_BY_LOGINS + "ALTER USER ... ACCOUNT UNLOCK";
            case 4150 -> LOCKED_BY_LOGINS + "FLUSH PRIVILEGES";
            case 3159 -> "the server requires TLS: use TLS mode REQUIRED or stricter";
            default -> "";
        };
    }
}
