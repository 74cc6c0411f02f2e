package io.sluice.deployer.command;

import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.protocol.tls.KeyStores;
import io.sluice.server.api.TokenFile;
import io.sluice.server.config.port.ControlConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of all verbs that call a running server: which one, and with which token. */
final class ControlOptions {
    private static final int STANDARD_PORT = 11113;
    private static final String URL = "SLUICE_CONTROL_URL";
    private static final String TOKEN = "SLUICE_CONTROL_TOKEN";

    @Option(names = "--url", paramLabel = "URL", description = "another server than the one here; else $" + URL)
    @Nullable String url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "a file with the token, else $" + TOKEN + ", else conf/control-token")
    @Nullable String tokenFile;

    @Option(names = "--ca", paramLabel = "FILE", description = "the certificates to trust of an https server, in PEM")
    @Nullable String authority;

    @Option(
            names = "--plain",
            description = "send the token to another machine also by http, where every host in between can read it")
    boolean plain;

    @Option(names = "--json", description = "print what the server answers")
    boolean json;

    /**
     * A client of the server that is meant.
     *
     * @throws ControlCallException if the address, the token or the certificates cannot be read
     */
    ControlClient client(CommandContext context, CommonOptions common) throws ControlCallException {
        // The address of another server is given, and its configuration is not known here.
        Optional<ControlConfig> config = givenUrl(context).isBlank()
                ? context.server(context.configFile(common.configFile())).control()
                : Optional.empty();
        URI base = base(context, config);
        HttpClient.Builder http = HttpClient.newBuilder();
        if (authority != null) {
            http.sslContext(trusting(context.callerDirectory().resolve(authority)));
        }
        boolean isHere = isThisMachine(base.getHost());
        if (!isHere && !plain && "http".equals(base.getScheme())) {
            throw new ControlCallException(
                    base + " is on another machine, and http would show the token on the way: use https, or --plain");
        }
        if (!isHere && tokenFile == null && !isTokenOfVariable(context)) {
            throw new ControlCallException(
                    "%s is on another machine, and %s is for the server of this one: give --token-file or $%s"
                            .formatted(base, file(context), TOKEN));
        }
        return new ControlClient(http, base, token(context), tokenPlace(context), unreachableRemedy(config));
    }

    /** Without a token a server does not open the port. */
    private static String unreachableRemedy(Optional<ControlConfig> config) {
        return config.filter(ControlOptions::lacksToken).isPresent()
                ? "there is no token yet, without which the server does not listen there: sluice.sh token add NAME --role operator --save, then restart the server"
                : "is the server running, and is there a token that may call it (sluice.sh token list)? For a server that was started by `startup.sh local`, add --conf conf/canal_local.properties";
    }

    private static boolean lacksToken(ControlConfig config) {
        try {
            return config.certificates().isEmpty()
                    && TokenFile.read(config.accessFile()).isEmpty();
        } catch (IOException | IllegalArgumentException e) {
            return false; // the server says what is wrong with it
        }
    }

    private String givenUrl(CommandContext context) {
        return url != null ? url : context.environment().variables().getOrDefault(URL, "");
    }

    /** Whether a name is of an address of this machine; one that is unknown is not. */
    private static boolean isThisMachine(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            return address.isLoopbackAddress()
                    || address.isAnyLocalAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException e) {
            return false;
        }
    }

    private URI base(CommandContext context, Optional<ControlConfig> config) throws ControlCallException {
        String text = givenUrl(context);
        if (text.isBlank()) {
            String scheme = config.flatMap(ControlConfig::tls).isPresent() ? "https" : "http";
            String address = config.map(ControlConfig::address)
                    .filter(one -> !one.isBlank() && !one.equals("0.0.0.0") && !one.equals("::"))
                    .orElse("127.0.0.1");
            String host = address.indexOf(':') >= 0 && !address.startsWith("[") ? "[" + address + "]" : address;
            text = scheme + "://" + host + ":" + config.map(ControlConfig::port).orElse(STANDARD_PORT);
        }
        try {
            URI base = URI.create(text);
            if (base.getHost() != null && ("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
                return base;
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw new ControlCallException("not the URL of a server: " + text + "; it is like http://127.0.0.1:11113");
    }

    private String token(CommandContext context) throws ControlCallException {
        if (isTokenOfVariable(context)) {
            return variable(context).strip();
        }
        Path file = file(context);
        try {
            if (tokenFile == null && !Files.exists(file)) {
                return "";
            }
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new ControlCallException("the token cannot be read: " + e);
        }
    }

    /** Where the token is, for messages. */
    private String tokenPlace(CommandContext context) {
        return isTokenOfVariable(context) ? "$" + TOKEN : file(context).toString();
    }

    private boolean isTokenOfVariable(CommandContext context) {
        return tokenFile == null && !variable(context).isBlank();
    }

    private static String variable(CommandContext context) {
        return context.environment().variables().getOrDefault(TOKEN, "");
    }

    private Path file(CommandContext context) {
        return tokenFile != null
                ? context.callerDirectory().resolve(tokenFile)
                : context.baseDirectory().resolve("../conf/control-token").normalize();
    }

    private static SSLContext trusting(Path file) throws ControlCallException {
        try {
            TrustManager[] trusted = KeyStores.trusted(
                            new KeyStoreFile("PEM", file.toUri().toString(), ""))
                    .getTrustManagers();
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, trusted, null);
            return tls;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new ControlCallException("the certificates cannot be read: " + e.getMessage());
        }
    }
}
