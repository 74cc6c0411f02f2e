package io.sluice.admin.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Rejects writes that a page of another origin has sent, also one of the same site or of another port of the host, where the browser
 * sends the cookies. {@code Sec-Fetch-Site} alone decides if there is one, since a proxy may have changed the host of the request;
 * browsers omit it without TLS and when they are old, and then {@code Origin} must be the host that was called. Other programs send neither.
 */
final class SameOriginFilter extends OncePerRequestFilter {
    private static final Set<String> READS = Set.of("GET", "HEAD", "TRACE", "OPTIONS");
    private static final String SITE = "Sec-Fetch-Site";
    /** Also what the user has begun, and no page. */
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private final ProblemWriter problems;

    SameOriginFilter(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return READS.contains(request.getMethod());
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String site = request.getHeader(SITE);
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (site != null && !OWN_SITES.contains(site)) {
            reject(request, response, "A page of another origin sent this request, by the header Sec-Fetch-Site.");
        } else if (site == null && origin != null && !isOwn(request, origin)) {
            reject(
                    request,
                    response,
                    "A page of another origin sent this request: the header Origin is not the address in the header Host. A proxy in between must pass on the Host of the browser.");
        } else {
            chain.doFilter(request, response);
        }
    }

    private void reject(HttpServletRequest request, HttpServletResponse response, String why) throws IOException {
        UnreadBodyValve.closeAfter(request, response);
        problems.write(response, HttpStatus.FORBIDDEN, why);
    }

    private static boolean isOwn(HttpServletRequest request, String origin) {
        String host = request.getHeader(HttpHeaders.HOST);
        URI page = parsed(origin);
        if (host == null || page == null || page.getScheme() == null || page.getHost() == null) {
            return false; // also the origin "null", of pages without one
        }
        String scheme = page.getScheme().toLowerCase(Locale.ROOT);
        if (request.isSecure() && !scheme.equals("https")) {
            return false;
        }
        // Where the proxy that has TLS is not named, the scheme of the request is not that of the browser.
        URI called = parsed(scheme + "://" + host);
        return called != null && page.getHost().equalsIgnoreCase(called.getHost()) && port(page) == port(called);
    }

    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    }

    private static @Nullable URI parsed(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
