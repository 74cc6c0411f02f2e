package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.handler.ssl.SslContext;
import io.sluice.protocol.time.Time;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.PortTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS context of a listening port, which is made again when the files of its key stores have changed: certificates are renewed while a process
 * runs. If they cannot be read, the former one stays. Thread-safe.
 */
final class PortCertificates {
    /** The files are looked at when a connection comes, at most so often. */
    static final Duration PERIOD = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(PortCertificates.class);

    private final PortTls tls;
    private final String keys;
    private final Time time;

    @GuardedBy("this") private SslContext context;

    @GuardedBy("this") private List<Version> versions;

    /** Those that could not be used, which were reported; null if there are none. */
    @GuardedBy("this") private @Nullable List<Version> refused;

    @GuardedBy("this") private long lookedNanos;

    /** One version of a file; a file that does not exist has no time. */
    private record Version(
            @Nullable FileTime modified,
            long bytes,
            @Nullable Object inode) {
        static Version of(KeyStoreFile file) {
            try {
                BasicFileAttributes now = Files.readAttributes(file.path(), BasicFileAttributes.class);
                return new Version(now.lastModifiedTime(), now.size(), now.fileKey());
            } catch (IOException e) {
                return new Version(null, 0, null);
            }
        }
    }

    /**
     * Reads the key stores.
     *
     * @param keys how the names of the configuration's keys begin, for messages
     * @throws IOException if a store cannot be read; it says which
     */
    PortCertificates(PortTls tls, String keys, Time time) throws IOException {
        this.tls = tls;
        this.keys = keys;
        this.time = time;
        this.versions = versions();
        this.context = ServerTls.context(tls, keys);
        this.lookedNanos = time.nanos();
    }

    private List<Version> versions() {
        List<Version> all = new ArrayList<>();
        all.add(Version.of(tls.key()));
        tls.trust().ifPresent(trust -> all.add(Version.of(trust)));
        return all;
    }

    /** The context for a connection that has just come. */
    synchronized SslContext context() {
        long now = time.nanos();
        if (now - lookedNanos >= PERIOD.toNanos()) {
            lookedNanos = now;
            look();
        }
        return context;
    }

    @GuardedBy("this") private void look() {
        List<Version> current =
                versions(); // before they are read: what is replaced meanwhile is another version at the next look
        if (current.equals(versions)) {
            return;
        }
        try {
            context = ServerTls.context(tls, keys);
            versions = current;
            refused = null;
            LOG.info("the key stores of a port have changed, new connections use them: keys={}*", keys);
        } catch (IOException e) {
            if (!Objects.equals(current, refused)) {
                refused = current;
                LOG.warn(
                        "the key stores of a port have changed and cannot be read, it keeps the former ones: cause={}",
                        e.getMessage());
            }
        }
    }
}
