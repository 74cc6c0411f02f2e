package io.sluice.server.config.read;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.auth.PasswordOptions;
import io.sluice.mysql.wire.auth.ServerPublicKey;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.server.config.key.FailoverKeys;
import io.sluice.server.config.key.HostKeys;
import io.sluice.server.config.key.SourceKeys;
import io.sluice.server.config.password.PasswordReader;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads which servers an instance may read, and where it begins at each of them. */
final class HostReader {
    /** Where the first event of every binlog starts. */
    private static final long FIRST_EVENT = 4;

    private static final ServerAddress UNSET = new ServerAddress("unset", 1);

    private static final String EARLIEST = "earliest";
    private static final String LATEST = "latest";

    private final Settings settings;
    private final Origin file;
    private final Path baseDirectory;

    /**
     * Makes a reader.
     *
     * @param file the instance's file, where a key is missing
     * @param baseDirectory what relative paths start from
     */
    HostReader(Settings settings, Origin file, Path baseDirectory) {
        this.settings = settings;
        this.file = file;
        this.baseDirectory = baseDirectory;
    }

    /** The servers: the master, the standby if there is one, then the others. At least one. */
    List<SourceHost> read() {
        HostKeys master = SourceKeys.MASTER;
        if (settings.isBlank(master.address())) {
            settings.complain(file, master.address(), "is required: the host:port of the MySQL server");
        }
        String password = new PasswordReader(settings, file).read();
        ConfiguredStart start = start(master);
        List<SourceHost> hosts = new ArrayList<>();
        SourceHost preferred =
                new SourceHost(login(settings.find(master.address()).orElse(UNSET), master, password), start);
        hosts.add(preferred);
        settings.find(FailoverKeys.STANDBY.address()).ifPresent(address -> {
            ConfiguredStart own = start(FailoverKeys.STANDBY);
            boolean hasOwn = !(own instanceof ConfiguredStart.Default);
            add(
                    hosts,
                    new SourceHost(login(address, FailoverKeys.STANDBY, password), hasOwn ? own : elsewhere(start)),
                    FailoverKeys.STANDBY.address());
        });
        for (ServerAddress address : settings.get(FailoverKeys.MORE_HOSTS)) {
            add(hosts, new SourceHost(login(address, master, password), elsewhere(start)), FailoverKeys.MORE_HOSTS);
        }
        return hosts;
    }

    /** What is probably not intended, as sentences. */
    List<Warning> doubts() {
        Optional<ServerAddress> standby = settings.find(FailoverKeys.STANDBY.address());
        return standby.isPresent() && standby.equals(settings.find(SourceKeys.MASTER.address()))
                ? List.of(new Warning.General("%s = %s has no effect, since it is %s too: there is no second host"
                        .formatted(
                                FailoverKeys.STANDBY.address().name(),
                                settings.shown(FailoverKeys.STANDBY.address()),
                                SourceKeys.MASTER.address().name())))
                : List.of();
    }

    private void add(List<SourceHost> hosts, SourceHost host, Key<?> key) {
        ServerAddress address = host.login().address();
        if (key.equals(FailoverKeys.STANDBY.address())
                && hosts.get(0).login().address().equals(address)) {
            return; // a doubt
        }
        if (hosts.stream().anyMatch(other -> other.login().address().equals(address))) {
            settings.complain(key, "has an address that is among the instance's servers already: " + address);
        } else {
            hosts.add(host);
        }
    }

    private ConnectOptions login(ServerAddress address, HostKeys keys, String password) {
        try {
            ConnectOptions login = ConnectOptions.of(address, settings.get(SourceKeys.USERNAME), password)
                    .withDatabase(settings.get(SourceKeys.DATABASE));
            return login.withTimeouts(login.connectTimeout(), settings.get(FailoverKeys.SILENCE))
                    .withTls(tls(keys))
                    .withPasswords(passwords(keys));
        } catch (IllegalArgumentException e) {
            settings.complain(SourceKeys.USERNAME, String.valueOf(e.getMessage()));
            return ConnectOptions.of(address, "", ""); // not used: there is a problem
        }
    }

    /** A position in a file is of one server only; transactions and times are of all. */
    private static ConfiguredStart elsewhere(ConfiguredStart start) {
        if (start instanceof ConfiguredStart.At at) {
            String gtidSet = at.gtidSet();
            return gtidSet == null ? new ConfiguredStart.Default() : new ConfiguredStart.After(gtidSet);
        }
        if (start instanceof ConfiguredStart.Since since) {
            return new ConfiguredStart.Since(null, since.time());
        }
        return start;
    }

    private ConfiguredStart start(HostKeys keys) {
        Optional<String> gtid = settings.get(SourceKeys.GTID) ? settings.find(keys.gtid()) : Optional.empty();
        Optional<String> journal = settings.find(keys.file());
        Optional<Long> offset = settings.find(keys.offset()).filter(value -> value > 0);
        Optional<Long> time = settings.find(keys.time()).filter(value -> value > 0);
        gtid.ifPresent(set -> checkGtidSet(keys, set));
        if (journal.isPresent() && isWord(journal.get())) {
            if (offset.isPresent() || time.isPresent() || gtid.isPresent()) {
                settings.complain(keys.file(), "says where to begin: no other key may, too");
            }
            return journal.get().equalsIgnoreCase(EARLIEST)
                    ? new ConfiguredStart.Earliest()
                    : new ConfiguredStart.Newest();
        }
        if (offset.isPresent() && offset.get() < FIRST_EVENT) {
            settings.complain(keys.offset(), "is before the first event of every file, which is at " + FIRST_EVENT);
            return new ConfiguredStart.Default(); // not used: there is a problem
        }
        if (journal.isPresent() && (offset.isPresent() || time.isEmpty())) {
            return new ConfiguredStart.At(
                    new BinlogPosition(journal.get(), offset.orElse(FIRST_EVENT)), gtid.orElse(null));
        }
        if (gtid.isPresent()) {
            return new ConfiguredStart.After(gtid.get());
        }
        if (time.isPresent()) {
            return new ConfiguredStart.Since(journal.orElse(null), Instant.ofEpochMilli(time.get()));
        }
        if (offset.isPresent()) {
            settings.complain(
                    keys.offset(), "says nothing without " + keys.file().name() + ", the file it is in");
        }
        return new ConfiguredStart.Default();
    }

    private static boolean isWord(String journal) {
        return journal.equalsIgnoreCase(EARLIEST) || journal.equalsIgnoreCase(LATEST);
    }

    private void checkGtidSet(HostKeys keys, String gtidSet) {
        try {
            GtidSet.parse(gtidSet);
        } catch (IllegalArgumentException e) {
            settings.complain(keys.gtid(), String.valueOf(e.getMessage()));
        }
    }

    private TlsOptions tls(HostKeys keys) {
        return new TlsOptions(
                settings.get(keys.tlsMode()),
                settings.get(keys.tlsVersions()),
                settings.findKeyStore(keys.trustType(), keys.trustUrl(), keys.trustPassword())
                        .orElse(null),
                settings.findKeyStore(keys.clientType(), keys.clientUrl(), keys.clientPassword())
                        .orElse(null));
    }

    private PasswordOptions passwords(HostKeys keys) {
        return new PasswordOptions(
                settings.get(keys.allowKeyRetrieval()),
                serverKey(keys.serverKeyFile()).orElse(null),
                settings.get(keys.enableCleartext()));
    }

    private Optional<Path> serverKey(Key<String> key) {
        return settings.find(key).flatMap(text -> {
            try {
                Path path = baseDirectory.resolve(text).normalize();
                ServerPublicKey.check(path);
                return Optional.of(path);
            } catch (InvalidPathException e) {
                settings.complain(key, "must be the path of a file");
            } catch (IOException e) {
                settings.complain(key, String.valueOf(e.getMessage()));
            }
            return Optional.empty();
        });
    }
}
