package io.sluice.connector.stdout;

import io.sluice.connector.api.producer.Message;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A message as a line: JSON as it is, other bytes in Base64. */
final class Line {
    private Line() {}

    /**
     * The line with its end.
     *
     * @param prefixed whether the topic and the partition are in front, each followed by a tab
     */
    static byte[] of(Message message, boolean prefixed) {
        byte[] prefix = prefixed
                ? (message.topic() + "\t" + message.partition() + "\t").getBytes(StandardCharsets.UTF_8)
                : new byte[0];
        byte[] text =
                isJson(message.value()) ? message.value() : Base64.getEncoder().encode(message.value());
        byte[] line = new byte[prefix.length + text.length + 1];
        System.arraycopy(prefix, 0, line, 0, prefix.length);
        System.arraycopy(text, 0, line, prefix.length, text.length);
        line[line.length - 1] = '\n';
        return line;
    }

    /** A packet cannot begin with a brace, and flat JSON has no line's end in it. */
    private static boolean isJson(byte[] value) {
        if (value.length == 0 || value[0] != '{') {
            return false;
        }
        for (byte b : value) {
            if (b == '\n') {
                return false;
            }
        }
        return true;
    }
}
