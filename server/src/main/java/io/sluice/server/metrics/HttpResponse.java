package io.sluice.server.metrics;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/**
 * An HTTP response. Its body may be written to several connections, and is not changed.
 *
 * @param isCompressed whether the body is compressed by gzip
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HttpResponse(HttpResponseStatus status, String contentType, byte[] body, boolean isCompressed) {
    HttpResponse(HttpResponseStatus status, String contentType, byte[] body) {
        this(status, contentType, body, false);
    }

    static HttpResponse text(HttpResponseStatus status, String text) {
        return new HttpResponse(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** For a page that cannot be made; the cause is in the log. */
    static HttpResponse failed() {
        return text(HttpResponseStatus.INTERNAL_SERVER_ERROR, "See the server's log.\n");
    }

    /** In place of a page for which there is no room, since others are not read. */
    static HttpResponse tooMuchUnsent() {
        return text(
                HttpResponseStatus.SERVICE_UNAVAILABLE,
                "Too many pages wait until their readers have read them. Try again in a moment.\n");
    }

    /** Returns a copy with the body compressed by gzip. */
    HttpResponse compressed() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 4 + 64);
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not of memory
        }
        return new HttpResponse(status, contentType, bytes.toByteArray(), true);
    }
}
