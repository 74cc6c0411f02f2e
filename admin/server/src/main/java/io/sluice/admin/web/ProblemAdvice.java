package io.sluice.admin.web;

import io.sluice.admin.database.DatabaseFaults;
import io.sluice.admin.problem.Problem;
import io.sluice.admin.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.ConstraintViolationException;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import tools.jackson.core.JacksonException;

/** Answers exceptions with problems. What is not expected is logged with an id, and the answer has only that. */
@RestControllerAdvice
class ProblemAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

    @ExceptionHandler
    @Nullable ResponseEntity<Problem> problem(ProblemException e, HttpServletResponse response) {
        if (isTooLate(e, response)) {
            return null;
        }
        Duration wait = e.retryAfter();
        ResponseEntity.BodyBuilder answer = builder(e.problem().status());
        if (wait != null) {
            answer.header(
                    HttpHeaders.RETRY_AFTER,
                    Long.toString(Math.max(1, wait.plusMillis(999).toSeconds())));
        }
        return answer.body(e.problem());
    }

    @ExceptionHandler
    ResponseEntity<Problem> notReadable(HttpMessageNotReadableException e) {
        Throwable tooLarge = NestedExceptionUtils.getMostSpecificCause(e);
        if (tooLarge instanceof BodyLimitFilter.TooLargeException) {
            return answer(HttpStatus.CONTENT_TOO_LARGE, String.valueOf(tooLarge.getMessage()));
        }
        return answer(
                HttpStatus.BAD_REQUEST,
                e.getCause() instanceof JacksonException json
                        ? "The body is not what is expected here" + where(json) + "."
                        : "The body is missing, or cannot be read.");
    }

    /** Field names only: the message of the exception may quote what was sent, such as a password. */
    private static String where(JacksonException e) {
        String path = e.getPath().stream()
                .map(part -> part.getPropertyName() == null ? "[" + part.getIndex() + "]" : part.getPropertyName())
                .collect(Collectors.joining("."));
        return path.isEmpty() ? "" : ", at " + path;
    }

    @ExceptionHandler
    ResponseEntity<Problem> notValid(MethodArgumentNotValidException e) {
        String detail = e.getBindingResult().getFieldErrors().stream()
                .map(error -> error.getField() + " " + error.getDefaultMessage())
                .sorted()
                .collect(Collectors.joining("; "));
        return answer(HttpStatus.BAD_REQUEST, sentence(detail));
    }

    @ExceptionHandler
    ResponseEntity<Problem> notValid(HandlerMethodValidationException e) {
        String detail = e.getParameterValidationResults().stream()
                .flatMap(result -> result.getResolvableErrors().stream()
                        .map(error -> result.getMethodParameter().getParameterName() + " " + error.getDefaultMessage()))
                .sorted()
                .collect(Collectors.joining("; "));
        return answer(HttpStatus.BAD_REQUEST, sentence(detail));
    }

    @ExceptionHandler
    ResponseEntity<Problem> notValid(ConstraintViolationException e) {
        String detail = e.getConstraintViolations().stream()
                .map(violation -> violation.getPropertyPath() + " " + violation.getMessage())
                .sorted()
                .collect(Collectors.joining("; "));
        return answer(HttpStatus.BAD_REQUEST, sentence(detail));
    }

    @ExceptionHandler
    ResponseEntity<Problem> wrongType(MethodArgumentTypeMismatchException e) {
        return answer(HttpStatus.BAD_REQUEST, "The parameter " + e.getName() + " is not what is expected here.");
    }

    @ExceptionHandler
    ResponseEntity<Problem> notThere(CannotCreateTransactionException e) {
        return unavailable(e);
    }

    @ExceptionHandler
    ResponseEntity<Problem> notThere(CannotGetJdbcConnectionException e) {
        return unavailable(e);
    }

    @ExceptionHandler
    ResponseEntity<Problem> busy(TransientDataAccessException e) {
        return unavailable(e);
    }

    @ExceptionHandler
    ResponseEntity<Problem> there(DuplicateKeyException e) {
        LOG.debug("a key is there already", e);
        return answer(HttpStatus.CONFLICT, "Another user has made the same change. Load the page again.");
    }

    /** The tables of a canal-admin have shorter columns than those that this server creates. */
    @ExceptionHandler
    ResponseEntity<Problem> doesNotFit(DataIntegrityViolationException e) {
        LOG.warn(
                "the database rejected a value: cause={}",
                NestedExceptionUtils.getMostSpecificCause(e).toString());
        return answer(
                HttpStatus.BAD_REQUEST,
                "The database rejected a value: a name is too long for its column, or what it belongs to was deleted meanwhile. Nothing was changed. Shorten the name, or load the page again.");
    }

    private static ResponseEntity<Problem> unavailable(Exception e) {
        LOG.warn(
                "the database cannot be used: cause={}",
                NestedExceptionUtils.getMostSpecificCause(e).toString());
        return answer(HttpStatus.SERVICE_UNAVAILABLE, DatabaseFilter.DETAIL);
    }

    @ExceptionHandler
    @Nullable ResponseEntity<Problem> timeOut(AsyncRequestTimeoutException e, HttpServletRequest request) {
        return null; // a stream has ended, which the page opens again
    }

    @ExceptionHandler
    void gone(AsyncRequestNotUsableException e) {
        LOG.debug("the client has closed the connection", e);
    }

    @ExceptionHandler
    @Nullable ResponseEntity<Problem> other(Exception e, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        if (isTooLate(e, response)) {
            return null;
        }
        if (e instanceof AccessDeniedException || e instanceof AuthenticationException) {
            throw e; // for Spring Security's filters
        }
        if (DatabaseFaults.isUnavailable(e)) {
            return unavailable(e);
        }
        if (e instanceof ErrorResponse known) {
            return answer(HttpStatus.valueOf(known.getStatusCode().value()), detail(known));
        }
        String id = UUID.randomUUID().toString().substring(0, 8).toLowerCase(Locale.ROOT);
        LOG.error("a request failed: id={} method={} path={}", id, request.getMethod(), request.getRequestURI(), e);
        return answer(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "This is a fault of the admin server. logs/admin.log has more, under the id " + id + ".");
    }

    /** Whether a stream has begun, whose client learns by its end that something is wrong, and opens it again. */
    private static boolean isTooLate(Exception e, HttpServletResponse response) {
        if (response.isCommitted()) {
            LOG.debug("a stream has ended", e);
        }
        return response.isCommitted();
    }

    private static String detail(ErrorResponse known) {
        String detail = known.getBody().getDetail();
        return detail == null ? "The request cannot be done." : detail;
    }

    private static String sentence(String text) {
        return text.isEmpty() ? "What was sent is not valid." : text + ".";
    }

    static ResponseEntity<Problem> answer(HttpStatus status, String detail) {
        return builder(status.value()).body(Problem.of(status, detail));
    }

    private static ResponseEntity.BodyBuilder builder(int status) {
        return ResponseEntity.status(status).contentType(MediaType.APPLICATION_PROBLEM_JSON);
    }
}
