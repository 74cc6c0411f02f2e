package io.sluice.admin.audit;

import io.sluice.admin.database.GeneratedId;
import java.time.Clock;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Records every change. User and address are those of the current request. Thread-safe. */
@Component
public class AuditLog {
    private final JdbcClient database;
    private final Clock clock;

    AuditLog(JdbcClient database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Records a change that was made, in the transaction of the change if there is one.
     *
     * @param action such as {@code instance.pause}
     * @param target such as {@code instance shop}
     * @param before what was there, without secrets; null if nothing was
     * @param after what is there now, without secrets; null if nothing is
     */
    public void done(String action, String target, @Nullable String before, @Nullable String after) {
        write(user(), action, target, before, after, "done", null);
    }

    /** Records a change as {@link #done} does, whose caller is not logged in, or not yet. */
    public void doneBy(String user, String action, String target, @Nullable String before, @Nullable String after) {
        write(user, action, target, before, after, "done", null);
    }

    /**
     * Records a change that was asked for and not made.
     *
     * @param outcome {@code refused} or {@code failed}
     * @param detail why
     */
    public void notDone(String action, String target, String outcome, String detail) {
        write(user(), action, target, null, null, outcome, detail);
    }

    /**
     * Records that a change was asked for, before it is made where this database cannot undo it.
     *
     * @param before what was there, without secrets; null if nothing was
     * @return the id of the entry, for {@link #end}; until then its outcome is {@code begun}
     */
    public long begin(String action, String target, @Nullable String before) {
        return write(user(), action, target, before, null, "begun", null);
    }

    /**
     * Records what became of a change.
     *
     * @param entry of {@link #begin}
     * @param after what is there now, without secrets; null if nothing is, or it was not made
     * @param outcome {@code done}, {@code unchanged} if it was so before, {@code refused} or {@code failed}
     * @param detail why it was not made; null if it was
     */
    public void end(long entry, @Nullable String after, String outcome, @Nullable String detail) {
        database.sql("UPDATE sluice_audit SET after_text = ?, outcome = ?, detail = ? WHERE id = ?")
                .params(Arrays.asList(after, outcome, detail == null ? null : cut(detail, 2000), entry))
                .update();
    }

    private long write(
            String user,
            String action,
            String target,
            @Nullable String before,
            @Nullable String after,
            String outcome,
            @Nullable String detail) {
        KeyHolder key = new GeneratedKeyHolder();
        database.sql("""
                        INSERT INTO sluice_audit
                            (at, user_name, address, action, target, before_text, after_text, outcome, detail)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""")
                .params(Arrays.asList(
                        clock.millis(),
                        cut(user, 255),
                        cut(address(), 100),
                        cut(action, 100),
                        cut(target, 500),
                        before,
                        after,
                        outcome,
                        detail == null ? null : cut(detail, 2000)))
                .update(key);
        return GeneratedId.of(key);
    }

    /** Returns the user of this thread's request; {@code -} if there is none. */
    public static String user() {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        return caller == null || caller instanceof AnonymousAuthenticationToken ? "-" : caller.getName();
    }

    /** The columns of MySQL are as long as that. */
    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "…";
    }

    private static String address() {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
                ? request.getRequest().getRemoteAddr()
                : "-";
    }
}
