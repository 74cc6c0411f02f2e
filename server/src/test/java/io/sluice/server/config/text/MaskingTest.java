package io.sluice.server.config.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MaskingTest {
    private static final int LONG = 1 << 18;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "amqp://guest:hunter2@broker:5672/shop | amqp://guest:******@broker:5672/shop",
                "amqp://:hunter2@broker | amqp://:******@broker",
                "jdbc:mysql://root:hun:ter/2@db:3306/h?x=1 | jdbc:mysql://root:******@db:3306/h?x=1",
                "jdbc:mysql://db:3306/h?user=x&password=hunter2&sslMode=REQUIRED | jdbc:mysql://db:3306/h?user=x&password=******&sslMode=REQUIRED",
                "jdbc:mysql://db:3306/h?trustCertificateKeyStorePassword=hunter2 | jdbc:mysql://db:3306/h?trustCertificateKeyStorePassword=******",
                "jdbc:h2:h2;USER=sa;PASSWORD=hunter2;MODE=MYSQL | jdbc:h2:h2;USER=sa;PASSWORD=******;MODE=MYSQL",
                "root:hunter2@db:3306 | root:******@db:3306",
                "db1:3306,root:hunter2@db2:3306 | db1:3306,root:******@db2:3306",
                "Module required username=\"x\" password=\"hunter 2\"; | Module required username=\"x\" password=******;",
                "must be like 'root:hunter2@db' | must be like 'root:******@db'",
            })
    void passwordsInUrlsAreMasked(String text, String masked) {
        assertThat(Masking.sentence(text)).isEqualTo(masked);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "db:3306",
                "[::1]:3306",
                "shop\\..*,till@home",
                "file:/etc/sluice/trust.p12",
                "pulsar+ssl://broker:6651",
                "shop.people:id/name",
                "must be at least 1: see admin@example.com",
                "canal.user and canal.passwd, or canal.ip = 127.0.0.1",
            })
    void otherTextsAreShownAsTheyAre(String text) {
        assertThat(Masking.sentence(text)).isEqualTo(text);
    }

    @Test
    void aSentenceThatQuotesAPartOfTheSecretIsReplaced() {
        assertThat(Masking.about("hunter2", "there is an 'unte' in it")).startsWith("cannot be used; ");
        assertThat(Masking.about("hunter2", "there is a HUNTER in it")).startsWith("cannot be used; ");
        assertThat(Masking.about("42", "not above 42, please")).startsWith("cannot be used; ");
        assertThat(Masking.about("42", "not above 4200")).isEqualTo("not above 4200");
        assertThat(Masking.about("hunter2", "must be shorter")).isEqualTo("must be shorter");
        assertThat(Masking.about("", "must be shorter")).isEqualTo("must be shorter");
    }

    @Test
    void aPasswordInAValueIsNotInASentenceAboutIt() {
        assertThat(Masking.aboutWritten("jdbc:x://root:hunter2@db", "there is no file /hunter2@db"))
                .startsWith("cannot be used; ");
        assertThat(Masking.aboutWritten("jdbc:x://db?password=hunter2", "is not hunter"))
                .startsWith("cannot be used; ");
        assertThat(Masking.aboutWritten("jdbc:x://db?password=hunter2", "has an unknown scheme: jdbc:x"))
                .isEqualTo("has an unknown scheme: jdbc:x");
    }

    @Test
    void aSecretIsTakenOutOfASentence() {
        assertThat(Masking.without("hun$er2", "hun$er2 and Hun$er2")).isEqualTo("****** and ******");
        assertThat(Masking.without("2", "2 of 12")).isEqualTo("****** of 12");
        assertThat(Masking.without("", "nothing")).isEqualTo("nothing");
    }

    /** Each of these overflowed the stack, or took minutes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:",
                "=a:",
                "//a:",
                "//",
                "token",
                "token ",
                "token=",
                "token=\"",
                "token= ",
                "pwd=x&",
                "a:b@",
                "//a:b@",
                "@",
                ":",
                "(",
                " ",
                "x",
                "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-2:",
                ":1-3:5"
            })
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongTextIsMasked(String repeated) {
        String text = "x:" + repeated.repeat(LONG / repeated.length());

        assertThat(Masking.sentence(text)).hasSizeLessThanOrEqualTo(Masking.MAX_SENTENCE + 1);
        assertThat(Masking.shown("canal.instance.filter.regex", text)).isNotEmpty();
        assertThat(Masking.about("b" + text, text)).isNotEmpty();
        assertThat(Masking.aboutWritten(text, text)).isNotEmpty();
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongSecretIsLookedForInALongText() {
        String text = "a".repeat(LONG);

        assertThat(Masking.without("a".repeat(LONG / 2) + "b", text)).isEqualTo(text);
        assertThat(Masking.without("A".repeat(LONG / 2), text)).isEqualTo("************");
    }

    @Test
    void ofALongSentenceTheBeginningIsShownWithoutAPasswordThatEndsLater() {
        String start = "x".repeat(Masking.MAX_SENTENCE - 20);

        assertThat(Masking.sentence(start + " mysql://root:hunter2" + "3".repeat(100) + "@db is wrong"))
                .isEqualTo(start + " mysql://root:******…");
        assertThat(Masking.sentence(start + " password=\"hunter 2" + " 3".repeat(100) + "\" is wrong"))
                .isEqualTo(start + " password=****** is …");
        assertThat(Masking.sentence("x".repeat(Masking.MAX_SENTENCE - 1) + "\uD83D\uDE00 is wrong"))
                .isEqualTo("x".repeat(Masking.MAX_SENTENCE - 1) + "…");
        assertThat(Masking.about("hunter2", "x".repeat(Masking.MAX_SENTENCE) + "hunter2"))
                .isEqualTo("x".repeat(Masking.MAX_SENTENCE) + "…");
        assertThat(Masking.about("hunter2", "token=" + "y".repeat(Masking.MAX_SENTENCE) + " hunter2"))
                .startsWith("cannot be used; ");
        assertThat(Masking.shown("canal.instance.filter.regex", "x".repeat(LONG)))
                .hasSize(LONG);
    }

    /** The rules, as expressions that would be too slow, and overflow the stack, with long texts. */
    @Test
    void whatIsMaskedIsWhatTheRulesSay() {
        Random random = new Random(4711);
        for (int i = 0; i < 20_000; i++) {
            String text = Rules.text(random, 12);
            String sentence = Rules.text(random, 6);
            String secret = Rules.text(random, 2);

            assertThat(Masking.sentence(text)).as(text).isEqualTo(Rules.sentence(text));
            assertThat(Masking.without(secret, text))
                    .as("%s in %s", secret, text)
                    .isEqualTo(Rules.without(secret, text));
            assertThat(Masking.about(secret, text)).as("%s in %s", secret, text).isEqualTo(Rules.about(secret, text));
            assertThat(Masking.aboutWritten(text, sentence))
                    .as("%s about %s", sentence, text)
                    .isEqualTo(Rules.aboutWritten(text, sentence));
        }
    }

    private static final class Rules {
        private static final Pattern URL_LOGIN = Pattern.compile("//([^\\s:/@'\"]*):([^\\s'\"]*)@");
        private static final Pattern LOGIN =
                Pattern.compile("(?<![^\\s'\"(,;=])([^\\s:/@'\"(,;=]+):(?!(?:[\\w+.-]+:)*//)([^\\s'\",;]*)@");
        private static final Pattern PARAMETER = Pattern.compile(
                "(?i)((?:passw|passphrase|secret|token|accesskey|pwd)[\\w.-]*\\s*=\\s*)(\"[^\"]*\"|[^\\s&;,]+)");
        private static final String[] PARTS = {
            "a",
            "b1",
            "root",
            "Hunter2",
            "passw",
            "PASSWORD",
            "passphrase",
            "Secret",
            "token",
            "accessKey",
            "pwd",
            "//",
            "/",
            ":",
            "@",
            "'",
            "\"",
            "(",
            ",",
            ";",
            "=",
            "&",
            " ",
            "\n",
            "\u000B",
            "-",
            ".",
            "+",
            "_",
            "é",
            "\uD83D\uDE00",
            "jdbc:mysql:",
            "x:",
            "******"
        };

        static String text(Random random, int parts) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(parts + 1); i > 0; i--) {
                text.append(PARTS[random.nextInt(PARTS.length)]);
            }
            return text.toString();
        }

        static String sentence(String text) {
            String masked = URL_LOGIN.matcher(text).replaceAll("//$1:******@");
            masked = LOGIN.matcher(masked).replaceAll("$1:******@");
            return PARAMETER.matcher(masked).replaceAll("$1******");
        }

        static String without(String secret, String sentence) {
            if (secret.isEmpty()) {
                return sentence;
            }
            String quoted = Pattern.quote(secret);
            String whole = secret.length() < 4 ? "(?<!\\p{Alnum})" + quoted + "(?!\\p{Alnum})" : quoted;
            return Pattern.compile(whole, Pattern.CASE_INSENSITIVE)
                    .matcher(sentence)
                    .replaceAll("******");
        }

        static String about(String secret, String sentence) {
            return shares(secret, sentence) ? Masking.about("secret", "secret") : sentence(sentence);
        }

        static String aboutWritten(String value, String sentence) {
            String masked = sentence(sentence);
            for (Pattern pattern : List.of(URL_LOGIN, LOGIN, PARAMETER)) {
                Matcher matcher = pattern.matcher(value);
                while (matcher.find()) {
                    if (shares(matcher.group(2), masked)) {
                        return Masking.about("secret", "secret");
                    }
                }
            }
            return masked;
        }

        private static boolean shares(String secret, String sentence) {
            if (secret.length() < 4) {
                return !without(secret, sentence).equals(sentence);
            }
            String lower = sentence.toLowerCase(Locale.ROOT);
            for (int i = 0; i + 4 <= secret.length(); i++) {
                if (lower.contains(secret.substring(i, i + 4).toLowerCase(Locale.ROOT))) {
                    return true;
                }
            }
            return false;
        }
    }
}
