package io.sluice.admin.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * The body of a response that is an error, as RFC 9457 specifies.
 *
 * @param status the HTTP status
 * @param title what the status means
 * @param detail what is wrong, and what to do
 * @param problems the problems of a configuration; null if the error is not about one
 * @param currentVersion the version of a configuration that another user has changed; else null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        int status,
        String title,
        String detail,
        @Nullable List<ConfigProblem> problems,
        @Nullable Long currentVersion) {
    public static Problem of(HttpStatus status, String detail) {
        return new Problem(status.value(), status.getReasonPhrase(), detail, null, null);
    }

    Problem withProblems(List<ConfigProblem> found) {
        return new Problem(status, title, detail, List.copyOf(found), currentVersion);
    }

    Problem withCurrentVersion(long version) {
        return new Problem(status, title, detail, problems, version);
    }
}
