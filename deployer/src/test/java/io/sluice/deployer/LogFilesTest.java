package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LogFilesTest {
    /** Kafka's logs each attempt to reach a broker or to find a topic, several times a second; Pulsar's some lines for each producer. A server of tokens is quoted, and may quote the login. */
    @ParameterizedTest
    @CsvSource({
        "org.apache.kafka.clients.NetworkClient, ERROR",
        "org.apache.kafka.common.security.oauthbearer, ERROR",
        "org.apache.kafka.common.security.oauthbearer.internals.expiring.ExpiringCredentialRefreshingLogin, OFF",
        "org.apache.pulsar, WARN"
    })
    void clientsOfBrokersLogNoMoreThanTheirTroubles(String name, String level) throws Exception {
        Document shipped = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("src/main/package/conf/logback.xml").toFile());
        NodeList loggers = shipped.getElementsByTagName("logger");
        List<String> levels = new ArrayList<>();
        for (int i = 0; i < loggers.getLength(); i++) {
            Element logger = (Element) loggers.item(i);
            if (logger.getAttribute("name").equals(name)) {
                levels.add(logger.getAttribute("level"));
            }
        }
        assertThat(levels).containsExactly(level);
    }

    @Test
    void everyLogFileHasALimitInSizeTimeAndSum() throws Exception {
        Document shipped = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("src/main/package/conf/logback.xml").toFile());
        NodeList appenders = shipped.getElementsByTagName("appender");
        List<String> files = new ArrayList<>();
        for (int i = 0; i < appenders.getLength(); i++) {
            Element appender = (Element) appenders.item(i);
            if (appender.getAttribute("class").contains("FileAppender")) {
                files.add(appender.getAttribute("name"));
                for (String limit : List.of("maxFileSize", "maxHistory", "totalSizeCap")) {
                    assertThat(appender.getElementsByTagName(limit).getLength())
                            .as("%s of %s", limit, appender.getAttribute("name"))
                            .isOne();
                }
            }
        }
        assertThat(files).containsExactly("FILE-${destination}", "CURSORS-${destination}", "AUDIT");
    }
}
