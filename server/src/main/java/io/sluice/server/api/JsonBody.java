package io.sluice.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpUtil;
import java.io.IOException;

/** Reads the bodies of requests. */
final class JsonBody {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonBody() {}

    /**
     * The object in a body; an empty one if there is no body.
     *
     * @throws ApiException if it is no JSON object, or not declared as JSON
     */
    static ObjectNode of(FullHttpRequest request) {
        if (!request.content().isReadable()) {
            return JSON.createObjectNode();
        }
        String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
        if (!HttpUtil.getMimeType(type.isEmpty() ? "none" : type).toString().equalsIgnoreCase("application/json")) {
            throw new ApiException(415, "the body must be JSON, with Content-Type: application/json");
        }
        try {
            JsonNode body = JSON.readTree(ByteBufUtil.getBytes(request.content()));
            if (body instanceof ObjectNode object) {
                return object;
            }
        } catch (IOException e) {
            throw ApiException.badRequest("the body is no JSON");
        }
        throw ApiException.badRequest("the body must be a JSON object");
    }
}
