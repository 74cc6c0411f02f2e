package io.sluice.server.config.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MaskingTest {
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
}
