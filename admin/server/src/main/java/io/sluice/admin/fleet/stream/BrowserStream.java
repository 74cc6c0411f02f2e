package io.sluice.admin.fleet.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.admin.account.Role;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of one browser. A write never blocks: a state that was not read yet is replaced by the next one, other events wait in a
 * queue of bounded size, and a browser that reads nothing for a while is closed. Thread-safe.
 */
public final class BrowserStream {
    private static final Logger LOG = LoggerFactory.getLogger(BrowserStream.class);
    private static final int MAX_QUEUE_BYTES = 256 * 1024;
    private static final long SLOW_NANOS = 30_000_000_000L;
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final String session;
    private final String user;
    private final @Nullable Role role;
    private final AsyncContext context;
    private final ServletOutputStream out;
    private final Executor closing;
    private final CopyOnWriteArrayList<Runnable> whenClosed = new CopyOnWriteArrayList<>();

    @GuardedBy("this") private final Deque<byte[]> queue = new ArrayDeque<>();

    @GuardedBy("this") private final Map<String, byte[]> states = new LinkedHashMap<>();

    @GuardedBy("this") private int queuedBytes;

    @GuardedBy("this") private boolean isClosed;

    @GuardedBy("this") private boolean isEnding;

    @GuardedBy("this") private boolean isStarted;

    @GuardedBy("this") private long lastProgress = System.nanoTime();

    @GuardedBy("this") private Runnable whenReady = () -> {};

    /**
     * Makes a stream.
     *
     * @param role the role of its user; null: none
     * @param closing runs what is done when it is closed, since that must hold no lock
     */
    BrowserStream(
            String session,
            String user,
            @Nullable Role role,
            AsyncContext context,
            ServletOutputStream out,
            Executor closing) {
        this.session = session;
        this.user = user;
        this.role = role;
        this.context = context;
        this.out = out;
        this.closing = closing;
    }

    void start() {
        out.setWriteListener(new WriteListener() {
            @Override
            public void onWritePossible() {
                started();
            }

            @Override
            public void onError(Throwable failure) {
                LOG.debug("a browser has closed its stream", failure);
                close();
            }
        });
    }

    private synchronized void started() {
        isStarted = true;
        write();
    }

    /** The id of the session that it belongs to. */
    String session() {
        return session;
    }

    /** The login name of the user that opened it. */
    String user() {
        return user;
    }

    /** The role that its user had when it was opened; null if it was opened without a session. */
    @Nullable Role role() {
        return role;
    }

    /** An event as it is written; shared by all streams that send it. */
    public static byte[] event(String name, String data) {
        return ("event: " + name + "\ndata: " + data.replace("\r", "").replace("\n", "\ndata: ") + "\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Sends a state, in the place of one of the same name that was not sent yet.
     *
     * @param event made by {@link #event}
     */
    public synchronized void state(String name, byte[] event) {
        if (!isClosed) {
            states.put(name, event);
            write();
        }
    }

    /**
     * Sends an event.
     *
     * @param event made by {@link #event}
     * @return whether there was room for it; else it is left out
     */
    public synchronized boolean send(byte[] event) {
        if (isClosed || queuedBytes + event.length > MAX_QUEUE_BYTES) {
            return false;
        }
        queue.add(event);
        queuedBytes += event.length;
        write();
        return true;
    }

    /** Whether all was sent. */
    public synchronized boolean isIdle() {
        return queue.isEmpty() && states.isEmpty();
    }

    /** Runs an action each time when all was sent; it must not block. */
    public synchronized void whenReady(Runnable action) {
        whenReady = action;
    }

    /** Runs an action when the stream is closed, at once if it is. */
    public void whenClosed(Runnable action) {
        boolean isLate;
        synchronized (this) {
            isLate = isClosed;
            if (!isLate) {
                whenClosed.add(action);
            }
        }
        if (isLate) {
            action.run();
        }
    }

    /** Closes it when all was sent. */
    public synchronized void end() {
        isEnding = true;
        write();
    }

    /** Keeps it alive, and closes it if the browser has not read for a while. */
    void check() {
        boolean isSlow;
        synchronized (this) {
            boolean isWaiting = !queue.isEmpty() || !states.isEmpty();
            isSlow = isWaiting && System.nanoTime() - lastProgress > SLOW_NANOS;
            if (!isWaiting && !isClosed) {
                queue.add(COMMENT);
                queuedBytes += COMMENT.length;
                write();
            }
        }
        if (isSlow) {
            LOG.debug("a browser does not read its events, the stream is closed: user={}", user);
            close();
        }
    }

    @GuardedBy("this") private void write() {
        if (isClosed || !isStarted) {
            return;
        }
        try {
            boolean hasWritten = false;
            while (out.isReady()) {
                byte[] next = next();
                if (next == null) {
                    if (hasWritten) {
                        out.flush();
                        hasWritten = false;
                        continue;
                    }
                    drained();
                    return;
                }
                out.write(next);
                hasWritten = true;
                lastProgress = System.nanoTime();
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("a browser has closed its stream", e);
            close();
        }
    }

    @GuardedBy("this") private void drained() {
        if (isEnding) {
            close();
        } else {
            whenReady.run();
        }
    }

    @GuardedBy("this") private byte @Nullable [] next() {
        byte[] event = queue.poll();
        if (event != null) {
            queuedBytes -= event.length;
            return event;
        }
        var states = this.states.values().iterator();
        if (!states.hasNext()) {
            return null;
        }
        byte[] state = states.next();
        states.remove();
        return state;
    }

    /** Closes it at once. */
    void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            queue.clear();
            states.clear();
        }
        try {
            closing.execute(this::finish);
        } catch (RejectedExecutionException e) {
            finish(); // this server is stopping
        }
    }

    private void finish() {
        try {
            context.complete();
        } catch (IllegalStateException e) {
            LOG.debug("the stream of a browser is over already", e);
        }
        whenClosed.forEach(Runnable::run);
    }
}
