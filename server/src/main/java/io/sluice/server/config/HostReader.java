package io.sluice.server.config;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.PasswordOptions;
import io.sluice.mysql.wire.ServerPublicKey;
import io.sluice.server.config.TlsConfig.KeyStoreFile;
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
    List<HostConfig> read() {
        HostKeys master = Keys.MASTER;
        if (settings.isBlank(master.address())) {
            settings.complain(file, master.address(), "is required: the host:port of the MySQL server");
        }
        StartPosition start = start(master);
        List<HostConfig> hosts = new ArrayList<>();
        PasswordOptions passwords = passwords(master);
        hosts.add(new HostConfig(
                settings.find(master.address()).orElse(new HostPort("unset", 1)), tls(master), passwords, start));
        settings.find(Keys.STANDBY.address()).ifPresent(address -> {
            StartPosition own = start(Keys.STANDBY);
            boolean hasOwn = !(own instanceof StartPosition.Newest);
            add(
                    hosts,
                    new HostConfig(
                            address, tls(Keys.STANDBY), passwords(Keys.STANDBY), hasOwn ? own : elsewhere(start)),
                    Keys.STANDBY.address());
        });
        for (HostPort address : settings.get(Keys.MORE_HOSTS)) {
            add(hosts, new HostConfig(address, tls(master), passwords, elsewhere(start)), Keys.MORE_HOSTS);
        }
        return hosts;
    }

    private void add(List<HostConfig> hosts, HostConfig host, Key<?> key) {
        if (hosts.stream().anyMatch(other -> other.address().equals(host.address()))) {
            settings.complain(
                    key, "has an address that stands among the instance's servers already: " + host.address());
        } else {
            hosts.add(host);
        }
    }

    /** A place in a file is of one server only; transactions and times are of all. */
    private static StartPosition elsewhere(StartPosition start) {
        if (start instanceof StartPosition.At at) {
            return at.gtidSet().<StartPosition>map(StartPosition.After::new).orElse(new StartPosition.Newest());
        }
        if (start instanceof StartPosition.Since since) {
            return new StartPosition.Since(Optional.empty(), since.time());
        }
        return start;
    }

    private StartPosition start(HostKeys keys) {
        Optional<String> gtid = settings.get(Keys.GTID) ? settings.find(keys.gtid()) : Optional.empty();
        Optional<String> journal = settings.find(keys.file());
        Optional<Long> offset = settings.find(keys.offset()).filter(value -> value > 0);
        Optional<Long> time = settings.find(keys.time()).filter(value -> value > 0);
        gtid.ifPresent(set -> checkGtidSet(keys, set));
        if (journal.isPresent() && isWord(journal.get())) {
            if (offset.isPresent() || time.isPresent() || gtid.isPresent()) {
                settings.complain(keys.file(), "says where to begin: no other key may, too");
            }
            return journal.get().equalsIgnoreCase(EARLIEST) ? new StartPosition.Earliest() : new StartPosition.Newest();
        }
        if (journal.isPresent() && (offset.isPresent() || time.isEmpty())) {
            return new StartPosition.At(journal.get(), offset.orElse(FIRST_EVENT), gtid);
        }
        if (gtid.isPresent()) {
            return new StartPosition.After(gtid.get());
        }
        if (time.isPresent()) {
            return new StartPosition.Since(journal, Instant.ofEpochMilli(time.get()));
        }
        if (offset.isPresent()) {
            settings.complain(
                    keys.offset(), "says nothing without " + keys.file().name() + ", the file it is in");
        }
        return new StartPosition.Newest();
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

    private TlsConfig tls(HostKeys keys) {
        return new TlsConfig(
                settings.get(keys.tlsMode()),
                settings.get(keys.tlsVersions()),
                keyStore(keys.trustType(), keys.trustUrl(), keys.trustPassword()),
                keyStore(keys.clientType(), keys.clientUrl(), keys.clientPassword()));
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

    /** A store that has a URL is used; without a type it is taken for one of the JVM's two own kinds. */
    private Optional<KeyStoreFile> keyStore(Key<String> type, Key<String> url, Key<Secret> password) {
        return settings.find(url)
                .map(text -> new KeyStoreFile(settings.find(type).orElse("JKS"), text, settings.get(password)));
    }
}
