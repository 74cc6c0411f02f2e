package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a client or a server has sent cannot look like a line of the log, nor control the terminal that shows it. */
class LogPatternTest {
    private static final Path FILE = Path.of("src/main/package/conf/logback.xml");

    @Test
    void eachMessageOfThePackageIsOneLineOfText() throws Exception {
        String file = Files.readString(FILE);
        String message = only(file, "name=\"MESSAGE\" value=\"([^\"]*)\"").get(0);
        List<String> patterns = only(file, "<pattern>(.*)</pattern>");
        assertThat(patterns).hasSize(2).allMatch(pattern -> pattern.endsWith(" - ${MESSAGE}%n"));

        LoggerContext context = new LoggerContext();
        PatternLayout layout = new PatternLayout();
        layout.setContext(context);
        layout.setPattern(message + "%n");
        layout.start();
        LoggingEvent event = new LoggingEvent(
                "test", context.getLogger("test"), Level.WARN, "a\r\nb\u001B[31m\tc\u2028\u0085d 'e' é", null, null);

        assertThat(layout.doLayout(event)).isEqualTo("a  b [31m\tc  d 'e' é\n");
    }

    private static List<String> only(String file, String pattern) {
        return Pattern.compile(pattern)
                .matcher(file)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
