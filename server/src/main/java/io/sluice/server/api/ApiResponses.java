package io.sluice.server.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.UnknownDestinationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the HTTP responses of the API. */
final class ApiResponses {
    private static final Logger LOG = LoggerFactory.getLogger(ApiResponses.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private ApiResponses() {}

    static FullHttpResponse json(JsonNode value) {
        return content(jsonContent(value));
    }

    /** A JSON value as it is sent, which takes a fraction of its memory. */
    static ApiAnswer.Content jsonContent(JsonNode value) {
        return new ApiAnswer.Content("application/json", bytes(value));
    }

    static FullHttpResponse content(ApiAnswer.Content content) {
        return response(200, content.type(), content.text());
    }

    /** Says that the body of a request may come; its answer follows. */
    static FullHttpResponse continueWithBody() {
        return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER);
    }

    /** An error in the form of RFC 9457. */
    static FullHttpResponse problem(int status, String detail) {
        ObjectNode problem = JSON.createObjectNode()
                .put("status", status)
                .put("title", HttpResponseStatus.valueOf(status).reasonPhrase())
                .put("detail", detail);
        return response(status, "application/problem+json", bytes(problem));
    }

    /** The error of a call that failed. What is not meant for the caller is in the log only. */
    static FullHttpResponse problem(Throwable e, Route route) {
        if (e instanceof ApiException own) {
            return problem(own.status(), String.valueOf(e.getMessage()));
        }
        if (e instanceof UnknownDestinationException) {
            return problem(404, String.valueOf(e.getMessage()));
        }
        if (e instanceof CommandRejectedException) {
            return problem(409, String.valueOf(e.getMessage()));
        }
        LOG.error("a call of the control API failed: {} {}", route.method(), route.path(), e);
        return problem(500, "this should not have happened; the server's log has the reason");
    }

    private static FullHttpResponse response(int status, String type, byte[] body) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, type)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("X-Content-Type-Options", "nosniff");
        return response;
    }

    private static byte[] bytes(JsonNode value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON value can be written", e);
        }
    }
}
