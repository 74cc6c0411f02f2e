package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.alarm.Webhook;
import io.sluice.server.config.alarm.WebhookFormat;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Warning;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which web hooks are accepted; and nothing that is said of them shows a URL. */
class AlarmReaderTest {
    @TempDir
    Path directory;

    private ConfigHome home;

    @BeforeEach
    void write() {
        home = new ConfigHome(directory);
        home.instance("shop", ConfigHome.SHOP);
    }

    @Test
    void withoutAUrlNothingIsPosted() throws Exception {
        Configuration configuration = load("");

        assertThat(configuration.server().alarms().webhooks()).isEmpty();
        assertThat(configuration.warnings()).isEmpty();
    }

    @Test
    void eachUrlHasAFormatAndASecretOfItsOwnOrAllHaveTheSame() throws Exception {
        Configuration each = load("""
                canal.alarm.webhook.url = https://a/?access_token=t1, HTTPS://b:8443/x%2Cy
                canal.alarm.webhook.format = DingTalk, json
                canal.alarm.webhook.secret = SEC1,
                canal.alarm.webhook.timeout = 100
                """);
        assertThat(each.server().alarms().webhooks())
                .containsExactly(
                        hook(WebhookFormat.DINGTALK, "https://a/?access_token=t1", "SEC1"),
                        hook(WebhookFormat.JSON, "HTTPS://b:8443/x%2Cy", ""));
        assertThat(each.server().alarms().timeout()).isEqualTo(Duration.ofMillis(100));
        assertThat(each.warnings()).isEmpty();

        assertThat(load("""
                canal.alarm.webhook.url = https://a,https://b
                canal.alarm.webhook.format = feishu
                canal.alarm.webhook.secret = s
                """).server().alarms().webhooks())
                .containsExactly(
                        hook(WebhookFormat.FEISHU, "https://a", "s"), hook(WebhookFormat.FEISHU, "https://b", "s"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ftp://quiet/hush                          | json        |       | URL 1 of it must begin with https",
                "https://ok/hush, hooks.quiet/hush         | json        |       | URL 2 of it must begin with https",
                "https://ok/hush,,https://ok/hush          | json        |       | URL 2 of it must begin with https",
                "https:///hush                             | json        |       | URL 1 of it has no host",
                "https://a_host/hush                       | json        |       | URL 1 of it has a _ in the name of the host",
                "https://quiet:99999/hush                  | json        |       | no valid port",
                "https://me:hush@quiet/                    | json        |       | has a user before the host",
                "https://quiet/#hush                       | json        |       | has a fragment",
                "https://quiet/h ush                       | json        |       | is not a URL",
                "https://quiet/hush                        | json,slack  |       | must be one format for all URLs",
                "https://quiet/hush                        | morse       |       | must be one of json, dingtalk, feishu, slack",
                "https://quiet/hush                        | dingtalk    | a,b   | must be one secret for all URLs",
                "https://quiet/hush,https://quiet/hush     | feishu,json | a,b   | has a secret for URL 2",
                "h://q,h://q,h://q,h://q,h://q,h://q,h://q,h://q,h://q | json |  | must be 8 URLs at most",
            })
    void whatCannotBeUsedIsReportedWithoutTheUrl(String url, String format, String secret, String complaint) {
        home.server(ConfigHome.SERVER + """
                canal.alarm.webhook.url = %s
                canal.alarm.webhook.format = %s
                canal.alarm.webhook.secret = %s
                """.formatted(url, format, secret == null ? "" : secret));

        assertThat(home.problems())
                .isNotEmpty()
                .allSatisfy(problem -> assertThat(problem).contains(complaint).doesNotContain("hush", "quiet"));
    }

    @Test
    void whatHasNoEffectOrIsNotSafeIsSaid() throws Exception {
        assertThat(load("canal.alarm.webhook.secret = quiet").warnings())
                .singleElement()
                .asString()
                .contains("has no effect without canal.alarm.webhook.url");
        assertThat(Warning.texts(load("""
                canal.alarm.webhook.url = http://hooks/quiet,http://127.0.0.1:80/,http://[::ffff:127.0.0.1]/
                canal.alarm.webhook.secret = quiet
                """).warnings()))
                .hasSize(2)
                .anyMatch(line -> line.contains("URL 1 of it is without TLS"))
                .anyMatch(line -> line.contains("only requests of the formats dingtalk and feishu are signed"))
                .noneMatch(line -> line.contains("quiet"));
    }

    private Configuration load(String lines) throws Exception {
        home.server(ConfigHome.SERVER + lines);
        return home.load();
    }

    private static Webhook hook(WebhookFormat format, String url, String secret) {
        return new Webhook(format, new Secret(url), new Secret(secret));
    }
}
