package io.sluice.deployer.log;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.pattern.ThrowableHandlingConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.pattern.Converter;
import io.sluice.protocol.text.PrintableText;
import java.util.List;

/** Writes events by a pattern, each message on one line; a stack trace has its own lines, of which the messages have one each. */
final class OneLinePatternEncoder extends PatternLayoutEncoder {
    private static final List<String> MESSAGES = List.of("m", "msg", "message");
    private static final List<String> THROWABLES = List.of("ex", "exception", "throwable");

    @Override
    public void start() {
        PatternLayout lines = new PatternLayout();
        MESSAGES.forEach(word -> lines.getInstanceConverterMap().put(word, OneLineMessage::new));
        THROWABLES.forEach(word -> lines.getInstanceConverterMap().put(word, StackTrace::new));
        lines.setPostCompileProcessor((context, first) -> addStackTrace(first));
        lines.setContext(getContext());
        lines.setPattern(getPattern());
        lines.start();
        layout = lines;
        started = true;
    }

    /** As the layout itself does it for a pattern that does not say where stack traces are. */
    private static void addStackTrace(Converter<ILoggingEvent> first) {
        Converter<ILoggingEvent> last = first;
        for (Converter<ILoggingEvent> each = first; each != null; each = each.getNext()) {
            if (each instanceof ThrowableHandlingConverter) {
                return;
            }
            last = each;
        }
        last.setNext(new StackTrace());
    }

    private static final class OneLineMessage extends MessageConverter {
        @Override
        public String convert(ILoggingEvent event) {
            return PrintableText.line(super.convert(event));
        }
    }

    private static final class StackTrace extends ThrowableProxyConverter {
        @Override
        protected String throwableProxyToString(IThrowableProxy thrown) {
            return super.throwableProxyToString(new PrintableThrowable(thrown));
        }
    }
}
