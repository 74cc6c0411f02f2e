package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.handler.ssl.SslContext;
import io.sluice.protocol.time.Time;
import io.sluice.protocol.tls.KeyStoreVersion;
import io.sluice.protocol.tls.KeyStores;
import io.sluice.server.config.port.PortTls;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS context of a listening port, which is made again when the files of its key stores have changed: certificates are renewed while a process
 * runs. If they cannot be read, the former one stays. Thread-safe.
 */
final class PortCertificates {
    /** The shortest interval of the checks of the files, which new connections cause. */
    static final Duration PERIOD = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(PortCertificates.class);

    private final PortTls tls;
    private final String keys;
    private final Time time;
    private final Executor checker;

    @GuardedBy("this") private SslContext context;

    /** Until when all certificates that the context may present are valid; when they were read if none was valid. */
    @GuardedBy("this") private Instant expiry;

    @GuardedBy("this") private boolean isExpiryReported;

    @GuardedBy("this") private List<KeyStoreVersion> versions;

    /** The versions of key stores that could not be used, which were reported; null if there are none. */
    @GuardedBy("this") private @Nullable List<KeyStoreVersion> rejected;

    @GuardedBy("this") private long lookedNanos;

    @GuardedBy("this") private boolean isLooking;

    /**
     * Reads the key stores.
     *
     * @param keys how the names of the configuration's keys begin, for messages
     * @param checker reads files that have changed; one task at a time
     * @throws IOException if a store cannot be read; it says which
     */
    PortCertificates(PortTls tls, String keys, Time time, Executor checker) throws IOException {
        this.tls = tls;
        this.keys = keys;
        this.time = time;
        this.checker = checker;
        this.versions = versions();
        Instant now = now();
        this.context = ServerTls.context(tls, keys, now);
        this.expiry = expiry(now);
        this.lookedNanos = time.nanos();
        warnIfExpired();
    }

    private Instant now() {
        return Instant.ofEpochMilli(time.millis());
    }

    private Instant expiry(Instant at) throws IOException {
        return KeyStores.expiry(tls.key(), at).orElse(Instant.MAX);
    }

    private void warnIfExpired() {
        Instant end = takeExpired();
        if (end != null) {
            LOG.warn(
                    "the certificate of a port has expired or is not valid yet, and clients that verify it cannot connect: keys={}* not_valid_at={}",
                    keys,
                    end);
        }
    }

    /** When the certificate has expired, or was not valid yet, once; otherwise null. */
    private synchronized @Nullable Instant takeExpired() {
        if (isExpiryReported || !hasExpired()) {
            return null;
        }
        isExpiryReported = true;
        return expiry;
    }

    private synchronized Instant expiry() {
        return expiry;
    }

    private synchronized boolean hasExpired() {
        return !now().isBefore(expiry);
    }

    private List<KeyStoreVersion> versions() {
        List<KeyStoreVersion> all = new ArrayList<>();
        all.add(KeyStoreVersion.of(tls.key()));
        tls.trust().ifPresent(trust -> all.add(KeyStoreVersion.of(trust)));
        return all;
    }

    /** The context for a connection that has just come. Does not wait for the files, which may be on a network. */
    SslContext context() {
        if (beginsLook()) {
            try {
                checker.execute(this::check);
            } catch (RuntimeException | Error e) { // no thread can be started
                endLook();
                LOG.debug("the key stores of a port cannot be checked now: keys={}*", keys, e);
            }
        }
        synchronized (this) {
            return context;
        }
    }

    private synchronized boolean beginsLook() {
        long now = time.nanos();
        if (isLooking || now - lookedNanos < PERIOD.toNanos()) {
            return false;
        }
        lookedNanos = now;
        isLooking = true;
        return true;
    }

    private synchronized void endLook() {
        isLooking = false;
    }

    private void check() {
        try {
            List<KeyStoreVersion> current =
                    versions(); // before they are read: what is replaced meanwhile is another version at the next check
            if (!isInUse(current)) {
                read(current);
            } else if (hasExpired()) {
                readAgain(current);
            }
            warnIfExpired();
        } finally {
            endLook();
        }
    }

    private synchronized boolean isInUse(List<KeyStoreVersion> current) {
        return current.equals(versions);
    }

    private void read(List<KeyStoreVersion> current) {
        try {
            Instant now = now();
            use(ServerTls.context(tls, keys, now), expiry(now), current);
            LOG.info("the key stores of a port have changed, new connections use them: keys={}*", keys);
        } catch (IOException e) {
            if (isFirstRejection(current)) {
                LOG.warn(
                        "the key stores of a port have changed and cannot be read, it keeps the former ones: cause={}",
                        e.getMessage());
            }
        }
    }

    /** Another key of the same files may be valid, or become so later. */
    private void readAgain(List<KeyStoreVersion> current) {
        try {
            Instant now = now();
            Instant end = expiry(now);
            if (end.isAfter(now)) {
                Instant former = expiry();
                use(ServerTls.context(tls, keys, now), end, current);
                LOG.info(
                        "a certificate of a port is not valid, new connections get those of the same key store that are: keys={}* not_valid_at={}",
                        keys,
                        former);
            }
        } catch (IOException e) { // they were replaced meanwhile: the next check sees that
            LOG.debug("the key stores of a port cannot be read again: keys={}*", keys, e);
        }
    }

    private synchronized void use(SslContext read, Instant end, List<KeyStoreVersion> current) {
        context = read;
        expiry = end;
        isExpiryReported = false;
        versions = current;
        rejected = null;
    }

    private synchronized boolean isFirstRejection(List<KeyStoreVersion> current) {
        boolean isFirst = !current.equals(rejected);
        rejected = current;
        return isFirst;
    }
}
