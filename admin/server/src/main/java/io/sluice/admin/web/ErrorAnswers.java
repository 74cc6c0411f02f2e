package io.sluice.admin.web;

import io.sluice.admin.problem.Problem;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers what has failed outside of Spring MVC: with the status alone. */
@RestController
class ErrorAnswers implements ErrorController {
    @RequestMapping("/error")
    ResponseEntity<Problem> error(HttpServletRequest request) {
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        HttpStatus status = status(code instanceof Integer number ? number : null);
        return ProblemAdvice.answer(
                status,
                status.is5xxServerError()
                        ? "This is a fault of the admin server. logs/admin.log has more."
                        : "The request cannot be done: " + status.getReasonPhrase() + ".");
    }

    /** A request of the path itself, without an error, is answered with 404. */
    private static HttpStatus status(@Nullable Integer code) {
        HttpStatus known = code == null ? null : HttpStatus.resolve(code);
        return code == null ? HttpStatus.NOT_FOUND : known == null ? HttpStatus.INTERNAL_SERVER_ERROR : known;
    }
}
