package io.sluice.admin.web;

import io.sluice.admin.time.SteadyClock;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Reads the bodies of requests without a session before anything else does, only some at once and within a time limit: a read occupies a
 * thread, and clients that send slowly must not occupy all of them. Comes after the filter that finds the session.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 60)
class UnauthenticatedBodyFilter extends OncePerRequestFilter {
    /** Much fewer than Tomcat has threads. */
    static final int MAX_READERS = 32;

    /** Of these, those for networks that have none: one client must not keep all others from logging in. */
    static final int KEPT_READERS = 8;

    private static final Duration LONGEST = Duration.ofSeconds(15);
    private static final long LIMIT = 2L * 1024 * 1024;

    private final ProblemWriter problems;
    private final NetworkPlaces readers = new NetworkPlaces(MAX_READERS, KEPT_READERS);
    private final TimedBody body = new TimedBody(new SteadyClock(), LONGEST, BodyLimitFilter.LOGIN_LIMIT, LIMIT);

    UnauthenticatedBodyFilter(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !BodyLimitFilter.hasBody(request) || request.getSession(false) != null;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String address = request.getRemoteAddr();
        if (!readers.tryTake(address)) {
            UnreadBodyValve.closeAfter(request, response);
            response.setHeader(HttpHeaders.RETRY_AFTER, "1");
            problems.write(
                    response,
                    HttpStatus.TOO_MANY_REQUESTS,
                    "Too many clients that are not logged in are sending data. Try again in a moment.");
            return;
        }
        byte[] content;
        try {
            content = body.read(request.getInputStream());
        } catch (BodyLimitFilter.TooLargeException e) {
            UnreadBodyValve.closeAfter(request, response);
            problems.write(response, HttpStatus.CONTENT_TOO_LARGE, String.valueOf(e.getMessage()));
            return;
        } catch (IOException e) {
            logger.debug("a body without a session is incomplete", e);
            UnreadBodyValve.closeAfter(request, response);
            problems.write(response, HttpStatus.REQUEST_TIMEOUT, "The body did not arrive in time.");
            return;
        } finally {
            readers.release(address);
        }
        chain.doFilter(new Read(request, content), response);
    }

    /** A request whose body was read. */
    private static final class Read extends HttpServletRequestWrapper {
        private final byte[] content;

        Read(HttpServletRequest request, byte[] content) {
            super(request);
            this.content = content;
        }

        @Override
        public ServletInputStream getInputStream() {
            return new Content(new ByteArrayInputStream(content));
        }

        @Override
        public BufferedReader getReader() {
            return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
        }
    }

    private static final class Content extends ServletInputStream {
        private final ByteArrayInputStream in;

        Content(ByteArrayInputStream in) {
            this.in = in;
        }

        @Override
        public int read() {
            return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            return in.read(bytes, offset, length);
        }

        @Override
        public boolean isFinished() {
            return in.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException("no controller reads without blocking");
        }
    }
}
