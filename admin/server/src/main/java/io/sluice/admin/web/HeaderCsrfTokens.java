package io.sluice.admin.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;

/**
 * Takes the CSRF token from the header only. Another page of the same site can set the cookie and submit a form, with the token as a
 * parameter, but it cannot add a header. No page of this server has the token in its text, so that no masked form of it is needed.
 */
final class HeaderCsrfTokens extends CsrfTokenRequestAttributeHandler {
    HeaderCsrfTokens() {
        setCsrfRequestAttributeName(null); // the cookie is set by any answer, also when nothing reads the token
    }

    @Override
    public @Nullable String resolveCsrfTokenValue(HttpServletRequest request, CsrfToken token) {
        return request.getHeader(token.getHeaderName());
    }
}
