package io.sluice.server.api;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens that are accepted now: those of a file, which is read again when it has changed. If its content is wrong no token is accepted. A
 * thread of its own reads it. While it cannot be read, as on a file system of a network that is gone, or without a free descriptor or thread, the
 * tokens stay as they were, but for no longer than some minutes. Thread-safe.
 */
final class AccessList implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessList.class);
    private static final long READ_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** How long a caller waits for a read of the file: longer than that takes on any disk that works. */
    private static final Duration TIMEOUT = Duration.ofMillis(200);

    private static final Duration TIMEOUT_AT_START = Duration.ofSeconds(30);

    /** How long tokens are accepted that may have been removed from a file that cannot be read. */
    private static final long MAX_UNREAD_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Path file;
    private final Time time;
    private final ExecutorService reader;
    private final Content content;

    @GuardedBy("this") private List<TokenFile.Item> items = List.of();

    @GuardedBy("this") private @Nullable Object version;

    /** When the newest read of the file began. */
    @GuardedBy("this") private long readNanos;

    @GuardedBy("this") private boolean isReading;

    /** When the oldest read began that has not finished yet; null if the newest read has succeeded. */
    @GuardedBy("this") private @Nullable Long unreadNanos;

    /** Whether it was logged that the file cannot be read. */
    @GuardedBy("this") private boolean isFailing;

    @GuardedBy("this") private boolean hasGivenUp;

    /** Reads a file of tokens. */
    interface Content {
        /** Throws as {@link TokenFile#read} does. */
        List<TokenFile.Item> read(Path file) throws IOException;
    }

    AccessList(Path file, Time time) {
        this(file, time, reader(), TokenFile::read);
    }

    /**
     * Makes one that is closed with its reader.
     *
     * @param reader runs one read of the file at a time
     */
    AccessList(Path file, Time time, ExecutorService reader, Content content) {
        this.file = file;
        this.time = time;
        this.readNanos = time.nanos() - READ_INTERVAL_NANOS;
        this.reader = reader;
        this.content = content;
    }

    private static ExecutorService reader() {
        ThreadPoolExecutor reader = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory("control-access", true));
        reader.allowCoreThreadTimeOut(true);
        return reader;
    }

    /** Whether there is any token. For the start of a server, which waits for the file. */
    boolean isEmpty() {
        return items(TIMEOUT_AT_START).isEmpty();
    }

    /** The token that is kept under the digest of a text; the time that it takes does not reveal how much of it was right. */
    Optional<TokenFile.Item> find(String token) {
        byte[] digest = TokenFile.digest(token).getBytes(StandardCharsets.US_ASCII);
        TokenFile.Item found = null;
        for (TokenFile.Item item : items(TIMEOUT)) {
            if (MessageDigest.isEqual(digest, item.digest().getBytes(StandardCharsets.US_ASCII))) {
                found = item;
            }
        }
        return Optional.ofNullable(found);
    }

    private List<TokenFile.Item> items(Duration timeout) {
        if (beginsRead()) {
            readFile(timeout);
        }
        synchronized (this) {
            boolean isTooOld = unreadNanos != null && time.nanos() - unreadNanos >= MAX_UNREAD_NANOS;
            if (isTooOld && !hasGivenUp) {
                LOG.error(
                        "no token of the control API is accepted, since the file cannot be read for some minutes: {}, check its file system: file={}",
                        isReading ? "it hangs" : "reading fails",
                        file);
            }
            hasGivenUp = isTooOld;
            return isTooOld ? List.of() : items;
        }
    }

    private synchronized boolean beginsRead() {
        long now = time.nanos();
        if (isReading || now - readNanos < READ_INTERVAL_NANOS) {
            return false;
        }
        readNanos = now;
        isReading = true;
        if (unreadNanos == null) {
            unreadNanos = now;
        }
        return true;
    }

    /** Reads the file if it has changed, and waits a while for that. Only the caller that has begun it waits. */
    private void readFile(Duration timeout) {
        Future<?> read;
        try {
            read = reader.submit(this::refresh);
        } catch (RejectedExecutionException e) {
            LOG.debug("the port is closed", e);
            return;
        } catch (RuntimeException | Error e) { // such as without a free thread; the next read may succeed
            endRead(e);
            return;
        }
        try {
            read.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("the file of the control API's tokens hangs, so they stay as they were: file={}", file);
        } catch (ExecutionException e) {
            LOG.debug("the read has logged it", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void refresh() {
        Throwable failure = null;
        try {
            readIfChanged();
        } catch (IOException | RuntimeException | Error e) { // of this read; the next one may succeed
            failure = e;
        } finally {
            endRead(failure);
        }
    }

    private void readIfChanged() throws IOException {
        Object current = versionOfFile();
        synchronized (this) {
            if (current.equals(version)) {
                return;
            }
        }
        List<TokenFile.Item> read;
        try {
            read = content.read(file);
        } catch (TokenFile.WrongContentException e) {
            read = List.of();
            LOG.error("no token of the control API is accepted: {}", e.getMessage());
        }
        synchronized (this) {
            items = read;
            version = current;
        }
    }

    /** @param failure why what the file holds now is not known; null if it is */
    private synchronized void endRead(@Nullable Throwable failure) {
        isReading = false;
        if (failure == null) {
            unreadNanos = null;
        } else if (!isFailing) {
            LOG.error(
                    "the tokens of the control API cannot be read, so they stay as they were for some minutes: file={}",
                    file,
                    failure);
        }
        isFailing = failure != null;
    }

    private Object versionOfFile() throws IOException {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return List.of(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
        } catch (NoSuchFileException e) {
            return "none";
        }
    }

    /** Reads no more. */
    @Override
    public void close() {
        reader.shutdownNow();
    }
}
