package io.sluice.admin.account;

import io.sluice.admin.notice.ChangeNotices;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.Session;
import org.springframework.stereotype.Component;

/**
 * Opens, lists and ends sessions. They are in the database, so they survive a restart. Only {@link #endAll} may be called within a
 * transaction, of which it becomes a part: the others use one of their own. Thread-safe.
 */
@Component
class Sessions {
    private static final String FROM = "from";
    private static final String AGENT = "agent";
    private static final int MAX_AGENT = 300;
    private static final int ID_DIGITS = 32;

    private final FindByIndexNameSessionRepository<? extends Session> repository;
    private final JdbcClient database;
    private final CsrfTokenRepository csrfTokens;
    private final ChangeNotices notices;
    private final AccountProperties properties;
    private final Clock clock;

    Sessions(
            FindByIndexNameSessionRepository<? extends Session> repository,
            JdbcClient database,
            CsrfTokenRepository csrfTokens,
            ChangeNotices notices,
            AccountProperties properties,
            Clock clock) {
        this.repository = repository;
        this.database = database;
        this.csrfTokens = csrfTokens;
        this.notices = notices;
        this.properties = properties;
        this.clock = clock;
    }

    /** Opens a session, with a new id and a new CSRF token. Returns the session. */
    HttpSession open(HttpServletRequest request, HttpServletResponse response, String user) {
        HttpSession before = request.getSession(false);
        if (before != null) {
            before.invalidate();
        }
        HttpSession session = request.getSession(true);
        session.setAttribute(SessionContexts.NAME, user);
        session.setAttribute(FROM, request.getRemoteAddr());
        String agent = request.getHeader("User-Agent");
        if (agent != null) {
            session.setAttribute(AGENT, agent.substring(0, Math.min(agent.length(), MAX_AGENT)));
        }
        csrfTokens.saveToken(csrfTokens.generateToken(request), request, response);
        return session;
    }

    /** Ends the session of a request. */
    void close(HttpServletRequest request, String user) {
        HttpSession session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
        notices.afterCommit(new AccessChanged(user));
    }

    /** Returns the sessions of a user, the one with the newest call first. */
    List<OpenSession> of(String user, HttpServletRequest request) {
        String current = currentId(request);
        return found(user).values().stream()
                .filter(session -> !session.isExpired()
                        && !properties.isOver(session.getCreationTime().toEpochMilli(), clock.millis()))
                .map(session -> new OpenSession(
                        publicId(session.getId()),
                        user,
                        session.getCreationTime(),
                        session.getLastAccessedTime(),
                        session.getAttributeOrDefault(FROM, "-"),
                        session.getAttribute(AGENT),
                        session.getId().equals(current)))
                .sorted(Comparator.comparing(OpenSession::lastCall).reversed())
                .toList();
    }

    /** Ends a session of a user; false if there is none of that id. */
    boolean end(String user, String id) {
        for (String secret : found(user).keySet()) {
            if (publicId(secret).equals(id)) {
                endOwn(user, secret);
                return true;
            }
        }
        return false;
    }

    /** Ends a session by the id that its cookie has. */
    void endOwn(String user, String secret) {
        repository.deleteById(secret);
        notices.afterCommit(new AccessChanged(user));
    }

    /**
     * Ends all sessions of a user.
     *
     * @param but the request whose session stays; null: none does
     * @return how many have ended
     */
    int endAll(String user, @Nullable HttpServletRequest but) {
        String current = but == null ? null : currentId(but);
        int ended = database.sql("DELETE FROM SPRING_SESSION WHERE principal_name = ? AND session_id <> ?")
                .params(user, current == null ? "" : current)
                .update();
        notices.afterCommit(new AccessChanged(user));
        return ended;
    }

    private Map<String, ? extends Session> found(String user) {
        return repository.findByPrincipalName(user);
    }

    private static @Nullable String currentId(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session == null ? null : session.getId();
    }

    private static String publicId(String secret) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, ID_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
