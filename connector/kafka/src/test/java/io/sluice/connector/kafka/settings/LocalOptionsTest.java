package io.sluice.connector.kafka.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server must not try for a client that has sent it: options that name its files, its classes or its logins. */
class LocalOptionsTest {
    private static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule";

    private static boolean isLocal(String key, String value) {
        return LocalOptions.keysIn(Map.of(key, value)).equals(List.of(key));
    }

    @Test
    void mostSetupsAreHarmless() {
        assertThat(LocalOptions.keysIn(Map.of(
                        "kafka.bootstrap.servers",
                        "a:9092",
                        "kafka.acks",
                        "all",
                        "kafka.security.protocol",
                        "SASL_SSL",
                        "kafka.sasl.mechanism",
                        "SCRAM-SHA-512",
                        "kafka.sasl.jaas.config",
                        "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"u\" password=\"p;' =\";",
                        "kafka.kerberos.enable",
                        "false",
                        "kafka.kerberos.jaas.file",
                        "../conf/kerberos/jaas.conf",
                        "kafka.ssl.truststore.location",
                        " ")))
                .isEmpty();
        assertThat(isLocal("kafka.sasl.jaas.config", PLAIN + " required username='a' password=b;"))
                .isFalse();
    }

    @Test
    void whatIsNotKnownToBeHarmlessIsNot() {
        for (ConfigDef.ConfigKey option :
                ProducerConfig.configDef().configKeys().values()) {
            boolean namesSomething = option.type == ConfigDef.Type.CLASS
                    || option.name.matches(".*(location|class|classes|file|provider|providers|url|reporters|cmd)$");
            if (namesSomething && !option.name.endsWith("serializer")) {
                assertThat(isLocal("kafka." + option.name, "x")).as(option.name).isTrue();
            }
        }
        assertThat(isLocal("kafka.some.option.of.tomorrow", "x")).isTrue();
        assertThat(isLocal("kafka.config.providers", "file")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true keyTab=\"/etc/krb5.keytab\";",
                "com.sun.security.auth.module.JndiLoginModule required user.provider.url=\"ldap://x\";",
                PLAIN
                        + " required username=\"u\" password=\"p\"; com.sun.security.auth.module.LdapLoginModule required;",
                PLAIN + "Other required;",
                PLAIN + " required keyTab=\"/x\";",
                PLAIN + " required username=\"\\\"; x required a=\"\";",
                "${file:/etc/passwd:root}",
            })
    void onlyLoginsThatHaveAllInThemAreHarmless(String login) {
        assertThat(isLocal("kafka.sasl.jaas.config", login)).isTrue();
    }

    /** Kafka takes the login of the process where the options have none. */
    @Test
    void aLoginOfTheProcessIsNotUsed() {
        assertThat(isLocal("kafka.security.protocol", "SASL_PLAINTEXT")).isTrue();
        assertThat(LocalOptions.keysIn(Map.of(
                        "kafka.security.protocol",
                        "sasl_ssl",
                        "kafka.sasl.mechanism",
                        "PLAIN",
                        "kafka.sasl.jaas.config",
                        " ")))
                .containsExactly("kafka.security.protocol");
        assertThat(isLocal("kafka.sasl.mechanism", "GSSAPI")).isTrue();
        assertThat(isLocal("kafka.security.protocol", "ssl")).isFalse();
    }

    @Test
    void filesOfKerberosCountWhereTheyAreRead() {
        assertThat(LocalOptions.keysIn(Map.of(
                        "kafka.kerberos.enable", "true",
                        "kafka.kerberos.krb5.file", "x")))
                .contains("kafka.kerberos.krb5.file");
    }

    @Test
    void aLongLoginEndsInAnAnswer() {
        String login = PLAIN + " required" + " username=a".repeat(300) + " x";
        assertThat(isLocal("kafka.sasl.jaas.config", login)).isTrue();
        assertThat(isLocal("kafka.sasl.jaas.config", PLAIN + " required username=\"" + "a".repeat(60_000) + "\";"))
                .isTrue();
    }
}
