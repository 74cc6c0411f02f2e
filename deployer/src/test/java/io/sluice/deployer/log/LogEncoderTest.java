package io.sluice.deployer.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.status.Status;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogEncoderTest {
    private static final Instant TIME = Instant.parse("2026-03-01T10:00:00.123456Z");

    private final ObjectMapper mapper = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private final LoggerContext context = new LoggerContext();

    @Test
    void anEventIsOneObjectOnOneLine() throws Exception {
        String line = encode("json", event("the source is %s: host=\"{}\"\n\tand more", null, "db1"));

        assertThat(line).endsWith("}\n").hasLineCount(1);
        assertThat(mapper.readTree(line)).isEqualTo(mapper.readTree("""
                {"timestamp":"2026-03-01T10:00:00.123456Z","level":"WARN","logger":"io.sluice.Test","thread":"reader",
                 "destination":"shop","message":"the source is %s: host=\\"db1\\"\\n\\tand more"}
                """));
    }

    @Test
    void aFailureHasItsStackTraceAndThoseOfItsCauses() throws Exception {
        Exception failure = new IllegalStateException("broken", new java.io.IOException("disk full"));

        JsonNode exception =
                mapper.readTree(encode("json", event("it fails", failure))).path("exception");

        assertThat(exception.path("class").asText()).isEqualTo("java.lang.IllegalStateException");
        assertThat(exception.path("message").asText()).isEqualTo("broken");
        assertThat(exception.path("stack").asText())
                .startsWith("java.lang.IllegalStateException: broken\n")
                .contains("\tat io.sluice.deployer.log.LogEncoderTest.", "Caused by: java.io.IOException: disk full");
    }

    @Test
    void aFailureWithoutAMessageHasNone() throws Exception {
        JsonNode line = mapper.readTree(encode("json", event("it fails", new IllegalStateException())));

        assertThat(line.path("exception").has("message")).isFalse();
        assertThat(line.path("exception").path("stack").asText()).startsWith("java.lang.IllegalStateException");
    }

    /** Whatever is in a message: its line can be read, and is one line for all that read lines. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyMessageCanBeReadBack(long seed) throws Exception {
        Random random = new Random(seed);
        StringBuilder message = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            // Half of them of the part of Unicode where what is special is.
            message.append((char) random.nextInt(random.nextBoolean() ? 0x100 : 0x10000));
        }
        message.append("\u2028\u2029\u0085\uD83D\uDE00").append('\uD800');

        String line = encode("json", event(message.toString(), null));

        assertThat(mapper.readTree(line).path("message").asText()).isEqualTo(message.toString());
        assertThat(line.substring(0, line.length() - 1)).doesNotContainPattern("\\R");
    }

    @Test
    void textIsWrittenByThePattern() {
        assertThat(encode("text", event("hello {}", null, "world"))).isEqualTo("WARN [reader] shop - hello world\n");
        assertThat(context.getStatusManager().getCopyOfStatusList()).isEmpty();
    }

    @Test
    void theMessagesOfAnExceptionAreOneLineOfTextEach() {
        Exception cause = new IllegalArgumentException("forged\r\n2026-03-01 ERROR io.sluice.Fake \u001b[31mred");
        Exception failure = new IllegalStateException("first\nsecond", cause);
        failure.addSuppressed(new IllegalStateException("third\nfourth"));

        String text = encode("text", event("it fails", failure));

        assertThat(text.lines())
                .contains(
                        "java.lang.IllegalStateException: first second",
                        "\tSuppressed: java.lang.IllegalStateException: third fourth",
                        "Caused by: java.lang.IllegalArgumentException: forged  2026-03-01 ERROR io.sluice.Fake  [31mred")
                .noneMatch(line -> line.startsWith("2026-03-01 ERROR") || line.contains("\u001b"));
    }

    /** As the exceptions of JNDI do. */
    @SuppressWarnings("OverrideThrowableToString")
    @Test
    void theTextOfAnExceptionWithItsOwnToStringIsShown() {
        Exception failure = new IllegalStateException("m") {
            private static final long serialVersionUID = 1L;

            @Override
            public String toString() {
                return "no lookup: m; remaining name\n'a'";
            }
        };

        assertThat(encode("text", event("it fails", failure)).lines()).contains("no lookup: m; remaining name 'a'");
    }

    /** What a server or a client has sent cannot look like a line of the log, nor control the terminal that shows it. */
    @Test
    void aMessageIsOneLineOfText() {
        assertThat(encode("text", event("it says {}", null, "a\r\nERROR [main] b\u001B[31m\tc\u2028\u0085d")))
                .isEqualTo("WARN [reader] shop - it says a  ERROR [main] b [31m\tc  d\n");
        assertThat(encode("text", event("it fails", new IllegalStateException("broken"))))
                .contains("it fails\njava.lang.IllegalStateException: broken\n\tat ");
    }

    @Test
    void anUnknownFormatIsReportedAndTextIsWritten() {
        assertThat(encode("xml", event("hello", null))).startsWith("WARN [reader]");

        assertThat(context.getStatusManager().getCopyOfStatusList())
                .filteredOn(status -> status.getLevel() == Status.ERROR)
                .extracting(Status::getMessage)
                .containsExactly(
                        "the format of the log is neither text nor json, and text is written (SLUICE_LOG_FORMAT): xml");
    }

    private String encode(String format, LoggingEvent event) {
        LogEncoder encoder = new LogEncoder();
        encoder.setContext(context);
        encoder.setFormat(format);
        encoder.setPattern("%level [%thread] %X{destination} - %msg%n");
        encoder.start();
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }

    private LoggingEvent event(String message, Throwable failure, Object... arguments) {
        LoggingEvent event =
                new LoggingEvent("test", context.getLogger("io.sluice.Test"), Level.WARN, message, failure, arguments);
        event.setInstant(TIME);
        event.setThreadName("reader");
        event.setMDCPropertyMap(Map.of("destination", "shop"));
        return event;
    }
}
