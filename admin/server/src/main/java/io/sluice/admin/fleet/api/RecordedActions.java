package io.sluice.admin.fleet.api;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.web.ProblemException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Records what servers are told to do: before they are told, so that nothing is done that is not recorded, and how it ended after that. An
 * end that cannot be recorded changes nothing of what the caller is told. Thread-safe.
 */
@Component
class RecordedActions {
    private static final Logger LOG = LoggerFactory.getLogger(RecordedActions.class);

    /** What the caller is told besides. */
    static final String NOT_RECORDED =
            "It was done, but the audit log has only that it was asked for: the database of the admin server cannot be written.";

    private final AuditLog audit;

    RecordedActions(AuditLog audit) {
        this.audit = audit;
    }

    /**
     * Does something, and records that.
     *
     * @param before the state before
     * @param after what there is to record of a result; null if nothing
     * @param notRecorded the result with {@link #NOT_RECORDED}
     * @throws ProblemException why it was not done
     */
    <T> T run(
            String action,
            String target,
            String before,
            Supplier<T> change,
            Function<T, @Nullable String> after,
            UnaryOperator<T> notRecorded) {
        long entry = audit.begin(action, target, before);
        T result;
        try {
            result = change.get();
        } catch (ProblemException e) {
            String outcome = e.problem().status() < 500 ? "refused" : "failed";
            end(entry, action, target, null, outcome, e.problem().detail());
            throw e;
        }
        return end(entry, action, target, after.apply(result), "done", null) ? result : notRecorded.apply(result);
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
