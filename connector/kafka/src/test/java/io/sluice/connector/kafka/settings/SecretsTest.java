package io.sluice.connector.kafka.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretsTest {
    private static Secrets of(Map<String, String> options) {
        Map<String, String> properties = new HashMap<>(options);
        properties.put("kafka.bootstrap.servers", "127.0.0.1:1");
        return KafkaSettingsReader.read(properties).secrets();
    }

    @Test
    void thoseOfLoginsStoresAndUrlsAreMasked() {
        Secrets secrets = of(Map.of(
                "kafka.sasl.jaas.config",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId=\"sluice\" clientSecret=\"xy\\\"zzy\" useTicketToken=\"true\";",
                "kafka.ssl.key.password",
                "plugh",
                "kafka.sasl.oauthbearer.token.endpoint.url",
                "https://svc:plover@tokens.example.com/token?key=plough"));

        assertThat(secrets.maskedIn(
                        "sluice: xy\"zzy is true, plugh; https://svc:plover@tokens.example.com/token?key=plough"))
                .isEqualTo("sluice: *** is true, ***; https://svc:***@tokens.example.com/token?***");
    }

    /** As a request for a token has them. */
    @Test
    void encodedOnesAreMasked() {
        Secrets ofLogin = of(
                Map.of(
                        "kafka.sasl.jaas.config",
                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId=\"slu ice\" clientSecret=\"xy/zzy+1\";"));
        Secrets ofOptions = of(Map.of(
                "kafka.sasl.oauthbearer.client.credentials.client.id",
                "slu ice",
                "kafka.sasl.oauthbearer.client.credentials.client.secret",
                "xy/zzy+1"));

        for (Secrets secrets : List.of(ofLogin, ofOptions)) {
            assertThat(secrets.maskedIn("client_secret=xy%2Fzzy%2B1&x; Basic " + base64("slu ice:xy/zzy+1") + "; Basic "
                            + base64("slu+ice:xy%2Fzzy%2B1") + ";"))
                    .isEqualTo("client_secret=***&x; Basic ***; Basic ***;");
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** One of three letters is a part of many words. */
    @Test
    void aShortOneIsMaskedAsAWord() {
        assertThat(of(Map.of("kafka.ssl.key.password", "no")).maskedIn("no token: not known (no)"))
                .isEqualTo("*** token: not known (***)");
    }

    @Test
    void withoutSecretsATextStaysAsItIs() {
        assertThat(of(Map.of()).maskedIn("Connection refused")).isEqualTo("Connection refused");
    }
}
