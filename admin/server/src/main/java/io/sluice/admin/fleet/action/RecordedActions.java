package io.sluice.admin.fleet.action;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.problem.ProblemException;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Records the requests to servers: before each is sent, so that nothing is done that is not recorded, and its outcome after that. An
 * outcome that cannot be recorded changes nothing of the response to the caller. Thread-safe.
 */
@Component
public class RecordedActions {
    private static final Logger LOG = LoggerFactory.getLogger(RecordedActions.class);

    /** What the response states besides. */
    public static final String NOT_RECORDED =
            "It was done, but the audit log has only that it was asked for: the database of the admin server cannot be written.";

    private final AuditLog audit;

    RecordedActions(AuditLog audit) {
        this.audit = audit;
    }

    /**
     * Does something, and records that, or that it was so before.
     *
     * @param before the state before
     * @param what what is set; null if nothing is set
     * @throws ProblemException why it was not done
     */
    public ActionResult run(
            String action, String target, String before, @Nullable String what, Supplier<ActionResult> change) {
        return run(
                action,
                target,
                before,
                change,
                result -> after(result, what),
                result -> result.changed() ? "done" : "unchanged",
                result -> result.with(NOT_RECORDED));
    }

    private static @Nullable String after(ActionResult result, @Nullable String what) {
        String lines =
                Stream.of(what, result.message()).filter(Objects::nonNull).collect(Collectors.joining("\n"));
        return lines.isEmpty() ? null : lines;
    }

    /**
     * Does something that always changes something, and records that.
     *
     * @param before the state before
     * @param after what is set
     * @param notRecorded the result with {@link #NOT_RECORDED}
     * @throws ProblemException why it was not done
     */
    public <T> T run(
            String action,
            String target,
            String before,
            Supplier<T> change,
            String after,
            UnaryOperator<T> notRecorded) {
        return run(action, target, before, change, result -> after, result -> "done", notRecorded);
    }

    private <T> T run(
            String action,
            String target,
            String before,
            Supplier<T> change,
            Function<T, @Nullable String> after,
            Function<T, String> outcome,
            UnaryOperator<T> notRecorded) {
        long entry = audit.begin(action, target, before);
        T result;
        try {
            result = change.get();
        } catch (ProblemException e) {
            String failed = e.problem().status() < 500 ? "refused" : "failed";
            end(entry, action, target, null, failed, e.problem().detail());
            throw e;
        }
        return end(entry, action, target, after.apply(result), outcome.apply(result), null)
                ? result
                : notRecorded.apply(result);
    }

    private boolean end(
            long entry, String action, String target, @Nullable String after, String outcome, @Nullable String detail) {
        try {
            audit.end(entry, after, outcome, detail);
            return true;
        } catch (RuntimeException e) {
            LOG.error(
                    "the end of an action cannot be recorded: action={} target={} outcome={} after={} detail={}",
                    action,
                    target,
                    outcome,
                    after,
                    detail,
                    e);
            return false;
        }
    }
}
