package io.sluice.server.api;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens that are accepted now: those of a file, which is read again when it has changed. If it cannot be read no token is accepted. Safe
 * for use by several threads.
 */
final class AccessList {
    private static final Logger LOG = LoggerFactory.getLogger(AccessList.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Path file;
    private final Time time;

    @GuardedBy("this") private List<TokenFile.Item> items = List.of();

    @GuardedBy("this") private @Nullable Object version;

    @GuardedBy("this") private long lookedNanos;

    AccessList(Path file, Time time) {
        this.file = file;
        this.time = time;
        this.lookedNanos = time.nanos() - LOOK_NANOS;
    }

    /** Whether there is any token. */
    synchronized boolean isEmpty() {
        refresh();
        return items.isEmpty();
    }

    /** The token that is kept under the digest of a text; the time that it takes does not tell how much of it was right. */
    synchronized Optional<TokenFile.Item> find(String token) {
        refresh();
        byte[] digest = TokenFile.digest(token).getBytes(StandardCharsets.US_ASCII);
        TokenFile.Item found = null;
        for (TokenFile.Item item : items) {
            if (MessageDigest.isEqual(digest, item.digest().getBytes(StandardCharsets.US_ASCII))) {
                found = item;
            }
        }
        return Optional.ofNullable(found);
    }

    @GuardedBy("this") private void refresh() {
        long now = time.nanos();
        if (now - lookedNanos < LOOK_NANOS) {
            return;
        }
        lookedNanos = now;
        Object current = versionOfFile();
        if (current.equals(version)) {
            return;
        }
        version = current;
        try {
            items = TokenFile.read(file);
        } catch (IOException e) {
            items = List.of();
            LOG.error("no token of the control API is accepted: {}", e.getMessage());
        }
    }

    private Object versionOfFile() {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return List.of(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
        } catch (IOException e) {
            return "none";
        }
    }
}
