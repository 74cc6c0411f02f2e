package io.sluice.admin.problem;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** A request that failed; the response states the reason and the remedy. Its detail is shown to the caller, so it has no secret. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;
    private final @Nullable Duration retryAfter;

    private ProblemException(Problem problem, @Nullable Duration retryAfter) {
        super(problem.detail());
        this.problem = problem;
        this.retryAfter = retryAfter;
    }

    /**
     * Makes an exception of any status.
     *
     * @param detail what is wrong, and what to do, as a sentence
     */
    public static ProblemException of(HttpStatus status, String detail) {
        return new ProblemException(Problem.of(status, detail), null);
    }

    /** 400: the request is invalid. */
    public static ProblemException badRequest(String detail) {
        return of(HttpStatus.BAD_REQUEST, detail);
    }

    /** 403: the caller does not have the right. */
    public static ProblemException forbidden(String detail) {
        return of(HttpStatus.FORBIDDEN, detail);
    }

    /** 404: what the request names does not exist. */
    public static ProblemException notFound(String detail) {
        return of(HttpStatus.NOT_FOUND, detail);
    }

    /** 409: the request is not possible in the current state. */
    public static ProblemException conflict(String detail) {
        return of(HttpStatus.CONFLICT, detail);
    }

    /** 409: a configuration that another user has changed. */
    public static ProblemException changedMeanwhile(String detail, long currentVersion) {
        return new ProblemException(Problem.of(HttpStatus.CONFLICT, detail).withCurrentVersion(currentVersion), null);
    }

    /** 422: a configuration that has problems. */
    public static ProblemException unusable(String detail, List<ConfigProblem> problems) {
        return new ProblemException(
                Problem.of(HttpStatus.UNPROCESSABLE_CONTENT, detail).withProblems(problems), null);
    }

    /** 429: too many requests; the next one is possible after {@code retryAfter}. */
    public static ProblemException tooManyRequests(String detail, Duration retryAfter) {
        return new ProblemException(Problem.of(HttpStatus.TOO_MANY_REQUESTS, detail), retryAfter);
    }

    /** 502: a managed server cannot be reached, or has rejected the request. */
    public static ProblemException badGateway(String detail) {
        return of(HttpStatus.BAD_GATEWAY, detail);
    }

    public Problem problem() {
        return problem;
    }

    /** Returns how long the caller has to wait before the next attempt; null if the response does not say. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
