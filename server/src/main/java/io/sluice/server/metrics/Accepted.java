package io.sluice.server.metrics;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;

/**
 * What the sender of a request accepts.
 *
 * @param types the Accept headers, separated by commas; blank if there is none
 * @param gzip whether the response may be compressed by gzip
 */
record Accepted(String types, boolean gzip) {
    static Accepted of(HttpHeaders headers) {
        return new Accepted(
                String.join(",", headers.getAll(HttpHeaderNames.ACCEPT)),
                acceptsGzip(String.join(",", headers.getAll(HttpHeaderNames.ACCEPT_ENCODING))));
    }

    private static boolean acceptsGzip(String encodings) {
        boolean isAnyAccepted = false;
        for (String one : encodings.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = one.split(";", 2);
            boolean isAccepted = parts.length == 1 || !parts[1].strip().matches("q\\s*=\\s*0(\\.0*)?");
            if (parts[0].strip().equals("gzip")) {
                return isAccepted;
            }
            isAnyAccepted |= isAccepted && parts[0].strip().equals("*");
        }
        return isAnyAccepted;
    }
}
