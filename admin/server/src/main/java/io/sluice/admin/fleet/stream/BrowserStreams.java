package io.sluice.admin.fleet.stream;

import io.sluice.admin.account.AccessChanged;
import io.sluice.admin.account.AccountProperties;
import io.sluice.admin.account.Caller;
import io.sluice.admin.account.Role;
import io.sluice.admin.account.User;
import io.sluice.admin.account.UserStore;
import io.sluice.admin.problem.ProblemException;
import io.sluice.admin.time.RepeatedWork;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Opens and closes the streams of browsers. A stream ends with its session, and when its user may do less than before. Thread-safe. */
@Component
public class BrowserStreams {
    private static final Logger LOG = LoggerFactory.getLogger(BrowserStreams.class);
    private static final int MAX_OF_SESSION = 12;
    private static final int MAX = 2000;
    private static final int CHECK_SECONDS = 10;

    private final JdbcClient database;
    private final UserStore users;
    private final AccountProperties account;
    private final Clock clock;
    private final Set<BrowserStream> open = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService checks = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "fleet-streams");
        thread.setDaemon(true);
        return thread;
    });

    @SuppressWarnings("FutureReturnValueIgnored") // what fails is logged
    BrowserStreams(JdbcClient database, UserStore users, AccountProperties account, Clock clock) {
        this.users = users;
        this.database = database;
        this.account = account;
        this.clock = clock;
        checks.scheduleWithFixedDelay(
                new RepeatedWork(
                        this::check,
                        failure ->
                                LOG.error("it cannot be seen which sessions have ended, it is tried again", failure)),
                CHECK_SECONDS,
                CHECK_SECONDS,
                TimeUnit.SECONDS);
    }

    /**
     * Begins a stream in the place of an answer.
     *
     * @param user the login name of the caller
     * @throws ProblemException if there are too many
     */
    public BrowserStream open(HttpServletRequest request, HttpServletResponse response, String user)
            throws IOException {
        HttpSession session = request.getSession(false);
        String sessionId = session == null ? "" : session.getId();
        long ofSession = open.stream()
                .filter(stream -> stream.session().equals(sessionId))
                .count();
        if (ofSession >= MAX_OF_SESSION || open.size() >= MAX) {
            throw ProblemException.tooManyRequests(
                    "Too many pages are open that show what happens: close some of them.", Duration.ofSeconds(5));
        }
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType("text/event-stream");
        response.setCharacterEncoding("UTF-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        AsyncContext context = request.startAsync(request, response);
        context.setTimeout(0);
        Caller caller = Caller.current();
        BrowserStream stream = new BrowserStream(
                sessionId, user, caller == null ? null : caller.role(), context, response.getOutputStream(), checks);
        context.addListener(new Closing(stream));
        open.add(stream);
        stream.whenClosed(() -> open.remove(stream));
        stream.start();
        closeIfOutdated(stream);
        return stream;
    }

    /** What the caller may do may have been taken away while the stream was being prepared, when it could not be closed yet. */
    private void closeIfOutdated(BrowserStream stream) {
        if (!isAllowed(stream, users.find(stream.user()))) {
            stream.close();
        }
    }

    private static boolean isAllowed(BrowserStream stream, Optional<User> user) {
        Role then = stream.role();
        return then == null
                || user.filter(now -> !now.disabled() && now.role().includes(then))
                        .isPresent();
    }

    /** Ends the streams of a user whose rights have changed, so that they are opened again with those of now. */
    @EventListener
    void accessChanged(AccessChanged changed) {
        closeAll(changed.user());
    }

    private void closeAll(String user) {
        checks.execute(
                () -> open.stream().filter(stream -> stream.user().equals(user)).forEach(BrowserStream::close));
    }

    /**
     * Keeps streams alive, and ends those whose session has ended, or whose user may do less than when they were opened: that may have been
     * changed in the database, too. Called regularly.
     */
    public void check() {
        open.forEach(BrowserStream::check);
        if (open.isEmpty()) {
            return;
        }
        long now = clock.millis();
        Set<String> sessions = new HashSet<>(
                database.sql("SELECT session_id FROM SPRING_SESSION WHERE expiry_time > ? AND creation_time > ?")
                        .params(now, now - account.longestSession().toMillis())
                        .query(String.class)
                        .list());
        Map<String, Optional<User>> found = new HashMap<>();
        for (BrowserStream stream : open) {
            boolean hasEnded = !stream.session().isEmpty() && !sessions.contains(stream.session());
            if (hasEnded || !isAllowed(stream, found.computeIfAbsent(stream.user(), users::find))) {
                stream.close();
            }
        }
    }

    /** How many are open. */
    public int size() {
        return open.size();
    }

    /** Ends all, or the server would wait for them. */
    @EventListener(ContextClosedEvent.class)
    void stop() {
        open.forEach(BrowserStream::close);
    }

    @PreDestroy
    void close() {
        checks.shutdownNow();
    }

    /** Closes a stream when its connection is closed. */
    private record Closing(BrowserStream stream) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            stream.close();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            stream.close();
        }

        @Override
        public void onError(AsyncEvent event) {
            stream.close();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // the same stream
        }
    }
}
