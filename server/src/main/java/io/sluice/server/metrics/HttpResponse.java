package io.sluice.server.metrics;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/** An HTTP response. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HttpResponse(HttpResponseStatus status, String contentType, byte[] body) {
    static HttpResponse text(HttpResponseStatus status, String text) {
        return new HttpResponse(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }
}
