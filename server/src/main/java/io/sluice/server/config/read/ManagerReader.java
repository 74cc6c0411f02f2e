package io.sluice.server.config.read;

import io.sluice.protocol.wire.Scramble;
import io.sluice.server.config.key.AdminKeys;
import io.sluice.server.config.key.ClusterKeys;
import io.sluice.server.config.key.ManagerKeys;
import io.sluice.server.config.remote.ManagerConfig;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Settings;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads from the local file which admin server has the configuration. */
public final class ManagerReader {
    /** What canal registers without the key; the port itself stays closed then. */
    private static final int STANDARD_PORT = 11110;

    private final Settings settings;
    private final Environment environment;
    private final Path baseDirectory;
    private final Origin file;

    /**
     * Makes a reader.
     *
     * @param settings of the local file
     * @param file the local file, where a key is missing
     */
    public ManagerReader(Settings settings, Environment environment, Path baseDirectory, Origin file) {
        this.settings = settings;
        this.environment = environment;
        this.baseDirectory = baseDirectory;
        this.file = file;
    }

    /** Reads it; empty if the configuration is in files, or what is set cannot be used, which is reported. */
    public Optional<ManagerConfig> read() {
        Optional<URI> address = settings.find(ManagerKeys.ADDRESS).flatMap(this::address);
        if (address.isEmpty()) {
            return Optional.empty();
        }
        Optional<Path> copy = settings.get(ManagerKeys.KEEPS_COPY) ? copy() : Optional.empty();
        return Optional.of(new ManagerConfig(
                address.get(),
                user(),
                storedPassword(),
                settings.find(ClusterKeys.REGISTERED_ADDRESS)
                        .orElseGet(() -> environment.address().getHostAddress()),
                settings.find(AdminKeys.PORT).filter(port -> port > 0).orElse(STANDARD_PORT),
                settings.get(ManagerKeys.REGISTER),
                settings.get(ManagerKeys.CLUSTER),
                settings.find(ManagerKeys.NAME).orElseGet(ManagerReader::hostName),
                settings.findKeyStore(ManagerKeys.TRUST_TYPE, ManagerKeys.TRUST, ManagerKeys.TRUST_PASSWORD),
                settings.get(ManagerKeys.START_LIMIT),
                fileDirectories(),
                copy));
    }

    private Optional<URI> address(String text) {
        String url = text.contains("://") ? text : "http://" + text;
        while (url.endsWith("/")) {
            url = url.substring(0, url.length() - 1);
        }
        try {
            URI address = new URI(url);
            String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
            if ((scheme.equals("http") || scheme.equals("https"))
                    && address.getHost() != null
                    && address.getUserInfo() == null
                    && address.getQuery() == null
                    && address.getFragment() == null) {
                return Optional.of(address);
            }
            if (address.getHost() == null
                    && String.valueOf(address.getRawAuthority()).contains("_")) {
                settings.reject(
                        ManagerKeys.ADDRESS,
                        "has a _ in the name of the host, which Java's client for HTTP does not accept: use another name of the host, such as an alias of the container, or its address");
                return Optional.empty();
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        settings.reject(
                ManagerKeys.ADDRESS, "must be " + ManagerKeys.ADDRESS.type().allowed());
        return Optional.empty();
    }

    /** The value becomes a header. */
    private String user() {
        String user = settings.get(AdminKeys.USER);
        if (!user.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            settings.reject(AdminKeys.USER, "must be of printable ASCII characters, to be sent to an admin server");
            return "";
        }
        return user;
    }

    private Secret storedPassword() {
        Secret stored = settings.get(AdminKeys.PASSWORD);
        if (settings.isBlank(AdminKeys.PASSWORD)) {
            settings.complain(
                    file,
                    AdminKeys.PASSWORD,
                    "is required by %s: the 40 hexadecimal digits of SHA1(SHA1(password)), of the password that the admin server expects (canal.adminPasswd there)"
                            .formatted(ManagerKeys.ADDRESS.name()));
        } else if (!Scramble.isStored(stored.value())) {
            settings.reject(
                    AdminKeys.PASSWORD,
                    "must be the 40 hexadecimal digits of SHA1(SHA1(password)), as MySQL's password() gives them");
        }
        return stored;
    }

    /** By default those where container platforms and systemd put secrets. */
    private List<Path> fileDirectories() {
        String set = settings.find(ManagerKeys.FILE_DIRECTORIES)
                .orElseGet(() -> "/run/secrets,/var/run/secrets,"
                        + environment.variables().getOrDefault("CREDENTIALS_DIRECTORY", ""));
        try {
            return Stream.of(set.split(","))
                    .map(String::strip)
                    .filter(directory -> !directory.isEmpty())
                    .map(directory -> baseDirectory.resolve(directory).normalize())
                    .toList();
        } catch (InvalidPathException e) {
            settings.reject(ManagerKeys.FILE_DIRECTORIES, "must be paths of directories, separated by commas");
            return List.of();
        }
    }

    private Optional<Path> copy() {
        try {
            return Optional.of(
                    baseDirectory.resolve(settings.get(ManagerKeys.COPY)).normalize());
        } catch (InvalidPathException e) {
            settings.reject(ManagerKeys.COPY, "must be the path of a file");
            return Optional.empty();
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "";
        }
    }
}
