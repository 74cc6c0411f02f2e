package io.sluice.admin.web;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** A request that cannot be done; the answer says why, and what to do. Its detail is shown to the caller, so it holds no secret. */
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
     * Makes one of any status.
     *
     * @param detail what is wrong, and what to do, as a sentence
     */
    public static ProblemException of(HttpStatus status, String detail) {
        return new ProblemException(Problem.of(status, detail), null);
    }

    /** 400: what was sent is wrong. */
    public static ProblemException badRequest(String detail) {
        return of(HttpStatus.BAD_REQUEST, detail);
    }

    /** 403: this caller may not. */
    public static ProblemException forbidden(String detail) {
        return of(HttpStatus.FORBIDDEN, detail);
    }

    /** 404: there is no such thing. */
    public static ProblemException notFound(String detail) {
        return of(HttpStatus.NOT_FOUND, detail);
    }

    /** 409: not as things are now. */
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

    /** 429: too often; may be tried again after that time. */
    public static ProblemException tooManyRequests(String detail, Duration retryAfter) {
        return new ProblemException(Problem.of(HttpStatus.TOO_MANY_REQUESTS, detail), retryAfter);
    }

    /** 502: a server that was asked cannot be reached, or has said no. */
    public static ProblemException badGateway(String detail) {
        return of(HttpStatus.BAD_GATEWAY, detail);
    }

    public Problem problem() {
        return problem;
    }

    @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
