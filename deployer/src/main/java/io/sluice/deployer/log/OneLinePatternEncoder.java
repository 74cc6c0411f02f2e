package io.sluice.deployer.log;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.List;

/** Writes events by a pattern, each message on one line; a stack trace has its own lines. */
final class OneLinePatternEncoder extends PatternLayoutEncoder {
    private static final List<String> WORDS = List.of("m", "msg", "message");

    @Override
    public void start() {
        PatternLayout lines = new PatternLayout();
        WORDS.forEach(word -> lines.getInstanceConverterMap().put(word, OneLineMessage::new));
        lines.setContext(getContext());
        lines.setPattern(getPattern());
        lines.start();
        layout = lines;
        started = true;
    }

    private static final class OneLineMessage extends MessageConverter {
        @Override
        public String convert(ILoggingEvent event) {
            return PrintableText.line(super.convert(event));
        }
    }
}
