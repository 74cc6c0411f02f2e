package io.sluice.admin.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits the bodies of requests: a configuration of 1 MiB fits, also with the escapes of JSON; a login has to be much smaller, since
 * such a request needs no login. They must be JSON; a form, which the servlet container reads for any filter that asks for a parameter, is rejected.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class BodyLimitFilter extends OncePerRequestFilter {
    private static final long LIMIT = 8L * 1024 * 1024;
    static final int LOGIN_LIMIT = 16 * 1024;

    private final ProblemWriter problems;

    BodyLimitFilter(ProblemWriter problems) {
        this.problems = problems;
    }

    /** A body was larger than it may be. */
    static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLargeException(long limit) {
            super("The body may have " + limit + " bytes at most.");
        }
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long limit = request.getServletPath().startsWith("/api/v2/session") ? LOGIN_LIMIT : LIMIT;
        if (request.getContentLengthLong() > limit) {
            UnreadBodyValve.closeAfter(request, response);
            problems.write(
                    response, HttpStatus.CONTENT_TOO_LARGE, String.valueOf(new TooLargeException(limit).getMessage()));
            return;
        }
        if (hasBody(request) && !isJson(request)) {
            UnreadBodyValve.closeAfter(request, response);
            problems.write(
                    response,
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "The body must be JSON, with the header Content-Type: application/json.");
            return;
        }
        chain.doFilter(new Limited(request, limit), response);
    }

    /** Whether a request has a body, of a length that is stated or not. */
    static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
    }

    private static boolean isJson(HttpServletRequest request) {
        try {
            String type = request.getContentType();
            MediaType parsed = type == null ? MediaType.ALL : MediaType.parseMediaType(type);
            return parsed.isConcrete()
                    && (parsed.equalsTypeAndSubtype(MediaType.APPLICATION_JSON)
                            || parsed.getSubtype().endsWith("+json"));
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    private static final class Limited extends HttpServletRequestWrapper {
        private final long limit;

        Limited(HttpServletRequest request, long limit) {
            super(request);
            this.limit = limit;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new LimitedStream(super.getInputStream(), limit);
        }

        @Override
        public BufferedReader getReader() throws IOException {
            return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
        }
    }

    /** Counts what is read. */
    private static final class LimitedStream extends ServletInputStream {
        private final ServletInputStream in;
        private final long limit;
        private long count;

        LimitedStream(ServletInputStream in, long limit) {
            this.in = in;
            this.limit = limit;
        }

        @Override
        public int read() throws IOException {
            int read = in.read();
            count(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = in.read(bytes, offset, length);
            count(Math.max(0, read));
            return read;
        }

        private void count(int read) throws IOException {
            count += read;
            if (count > limit) {
                throw new TooLargeException(limit);
            }
        }

        @Override
        public boolean isFinished() {
            return in.isFinished();
        }

        @Override
        public boolean isReady() {
            return in.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            in.setReadListener(listener);
        }
    }
}
