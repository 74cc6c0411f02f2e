package io.sluice.server.api;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens that are accepted now: those of a file, which is read again when it has changed. If it cannot be read no token is accepted. A thread
 * of its own reads it, and while that hangs, as on a file system of a network that is gone, the tokens stay as they were, but for no longer
 * than some minutes. Safe for use by several threads.
 */
final class AccessList implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessList.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** How long a caller waits for a look at the file: longer than one takes on any disk that works. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private static final Duration PATIENCE_AT_START = Duration.ofSeconds(30);

    /** How long tokens are accepted that may have been removed from a file that hangs. */
    private static final long MAX_HANG_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Path file;
    private final Time time;
    private final ThreadPoolExecutor reader;

    @GuardedBy("this") private List<TokenFile.Item> items = List.of();

    @GuardedBy("this") private @Nullable Object version;

    /** When the newest look at the file began. */
    @GuardedBy("this") private long lookedNanos;

    @GuardedBy("this") private boolean isLooking;

    @GuardedBy("this") private boolean hasGivenUp;

    AccessList(Path file, Time time) {
        this.file = file;
        this.time = time;
        this.lookedNanos = time.nanos() - LOOK_NANOS;
        this.reader = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory("control-access", true));
        reader.allowCoreThreadTimeOut(true);
    }

    /** Whether there is any token. For the start of a server, which waits for the file. */
    boolean isEmpty() {
        return items(PATIENCE_AT_START).isEmpty();
    }

    /** The token that is kept under the digest of a text; the time that it takes does not tell how much of it was right. */
    Optional<TokenFile.Item> find(String token) {
        byte[] digest = TokenFile.digest(token).getBytes(StandardCharsets.US_ASCII);
        TokenFile.Item found = null;
        for (TokenFile.Item item : items(PATIENCE)) {
            if (MessageDigest.isEqual(digest, item.digest().getBytes(StandardCharsets.US_ASCII))) {
                found = item;
            }
        }
        return Optional.ofNullable(found);
    }

    private List<TokenFile.Item> items(Duration patience) {
        if (beginsLook()) {
            look(patience);
        }
        synchronized (this) {
            boolean hangs = isLooking && time.nanos() - lookedNanos >= MAX_HANG_NANOS;
            if (hangs && !hasGivenUp) {
                LOG.error(
                        "no token of the control API is accepted, since the file cannot be read: it hangs, check its file system: file={}",
                        file);
            }
            hasGivenUp = hangs;
            return hangs ? List.of() : items;
        }
    }

    private synchronized boolean beginsLook() {
        long now = time.nanos();
        if (isLooking || now - lookedNanos < LOOK_NANOS) {
            return false;
        }
        lookedNanos = now;
        isLooking = true;
        return true;
    }

    /** Reads the file if it has changed, and waits a while for that. Only the caller that has begun it waits. */
    private void look(Duration patience) {
        try {
            reader.submit(this::refresh).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("the file of the control API's tokens hangs, so they stay as they were: file={}", file);
        } catch (ExecutionException e) {
            LOG.error("the tokens of the control API cannot be read: file={}", file, e.getCause());
        } catch (RejectedExecutionException e) {
            LOG.debug("the port is closed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void refresh() {
        try {
            Object current = versionOfFile();
            synchronized (this) {
                if (current.equals(version)) {
                    return;
                }
            }
            List<TokenFile.Item> read;
            try {
                read = TokenFile.read(file);
            } catch (IOException e) {
                read = List.of();
                LOG.error("no token of the control API is accepted: {}", e.getMessage());
            }
            synchronized (this) {
                items = read;
                version = current;
            }
        } finally {
            synchronized (this) {
                isLooking = false;
            }
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

    /** Reads no more. */
    @Override
    public void close() {
        reader.shutdownNow();
    }
}
