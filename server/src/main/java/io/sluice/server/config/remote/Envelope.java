package io.sluice.server.config.remote;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the answers of an admin server: {@code {"code":20000,"message":null,"data":{"content":"…"}}}. Of the data only {@code content}
 * matters here.
 */
final class Envelope {
    private static final int OK = 20_000;
    private static final int LONGEST_MESSAGE = 300;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");

    private static final ObjectReader JSON =
            new ObjectMapper().reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Envelope() {}

    /** What an answer has as its data. */
    sealed interface Data {}

    /** There is none: nothing is known, or nothing has changed. */
    record None() implements Data {}

    /**
     * There is some.
     *
     * @param content empty if it has none, which means that it has not changed
     */
    record Some(Optional<String> content) implements Data {}

    /**
     * Reads an answer.
     *
     * @throws AdminException if it is none, or reports an error
     */
    static Data read(byte[] body) throws AdminException {
        JsonNode answer;
        try {
            answer = JSON.readTree(body);
        } catch (JacksonException e) {
            throw new AdminException("its answer is not JSON: is canal.admin.manager the address of an admin server?");
        } catch (IOException e) {
            throw new AdminException("its answer cannot be read: " + plain(String.valueOf(e.getMessage())));
        }
        if (answer == null || !answer.isObject() || !answer.path("code").isIntegralNumber()) {
            throw new AdminException("its answer is JSON, but not that of an admin server:"
                    + " is canal.admin.manager the address of one?");
        }
        if (!answer.path("code").canConvertToInt() || answer.path("code").intValue() != OK) {
            String message = answer.path("message").asText("");
            throw new AdminException("it answers by the error %s%s"
                    .formatted(plain(answer.path("code").asText()), message.isEmpty() ? "" : ": " + plain(message)));
        }
        return data(answer.path("data"));
    }

    private static Data data(JsonNode data) throws AdminException {
        if (data.isMissingNode() || data.isNull()) {
            return new None();
        }
        JsonNode content = data.path("content");
        if (!data.isObject() || !(content.isTextual() || content.isNull() || content.isMissingNode())) {
            throw new AdminException("its answer has no content that is a text");
        }
        return new Some(content.isTextual() ? Optional.of(content.textValue()) : Optional.empty());
    }

    /** A text of another server as it may be in a log: one line, and not too long. */
    static String plain(String text) {
        String line = CONTROL.matcher(text).replaceAll(" ").strip();
        return line.length() > LONGEST_MESSAGE ? line.substring(0, LONGEST_MESSAGE) + "…" : line;
    }
}
