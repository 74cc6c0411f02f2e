package io.sluice.deployer.log;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes events of the log as text, by a pattern, or as JSON, by the {@code format}: so one {@code logback.xml} has both.
 *
 * <p>Logback makes it, sets its properties and starts it, in this order; then it is thread-safe.
 */
public final class LogEncoder extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = {};

    private final PatternLayoutEncoder text = new OneLinePatternEncoder();
    private String format = "text";
    private @Nullable JsonLine json;

    /**
     * Sets the format.
     *
     * @param format {@code text} or {@code json}; {@link #start} reports others, and text is written then
     */
    public void setFormat(String format) {
        this.format = format.strip().toLowerCase(Locale.ROOT);
    }

    /**
     * Sets how a line of text is made.
     *
     * @param pattern in logback's language; not used by JSON
     */
    public void setPattern(String pattern) {
        text.setPattern(pattern);
    }

    @Override
    public void start() {
        switch (format) {
            case "json" -> json = new JsonLine();
            case "text" -> {}
            default ->
                addError("the format of the log is neither text nor json, and text is written (SLUICE_LOG_FORMAT): "
                        + format);
        }
        text.setContext(getContext());
        text.setCharset(StandardCharsets.UTF_8);
        text.start();
        super.start();
    }

    @Override
    public void stop() {
        super.stop();
        text.stop();
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        JsonLine line = json;
        return line == null ? text.encode(event) : line.of(event).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
