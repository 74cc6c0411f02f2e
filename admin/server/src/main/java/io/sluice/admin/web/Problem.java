package io.sluice.admin.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * The body of an answer that is an error, as RFC 9457 has it.
 *
 * @param status the HTTP status
 * @param title what the status means
 * @param detail what is wrong, and what to do
 * @param problems of a configuration; null if it is about none
 * @param currentVersion of a configuration that another user has changed; else null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        int status,
        String title,
        String detail,
        @Nullable List<ConfigProblem> problems,
        @Nullable Long currentVersion) {
    static Problem of(HttpStatus status, String detail) {
        return new Problem(status.value(), status.getReasonPhrase(), detail, null, null);
    }

    Problem withProblems(List<ConfigProblem> found) {
        return new Problem(status, title, detail, List.copyOf(found), currentVersion);
    }

    Problem withCurrentVersion(long version) {
        return new Problem(status, title, detail, problems, version);
    }
}
