package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerContext;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaProducerFactoryTest {
    /** It needs an operator; the JDK has the same exception for it as for a server of tokens that is down. */
    @ParameterizedTest
    @CsvSource({
        "BATCHES, java.lang.String, java.lang.ClassCastException",
        "CLIENT, java.lang.Number, java.lang.InstantiationException",
        "CLIENT, no.such.Login, No LoginModule found for no.such.Login"
    })
    void aLoginThatIsNoneIsAProblemOfTheConfiguration(Sending sending, String module, String reason) {
        Map<String, String> properties = new HashMap<>(sending.options());
        properties.put("kafka.bootstrap.servers", "127.0.0.1:1");
        properties.put("kafka.security.protocol", "SASL_PLAINTEXT");
        properties.put("kafka.sasl.mechanism", "PLAIN");
        properties.put("kafka.sasl.jaas.config", module + " required a=\"b\";");
        MessageProducerFactory factory = new KafkaConnector().configure(properties);

        assertThatThrownBy(() -> factory.create(new ProducerContext("shop", Ownership.SOLE)))
                .isInstanceOf(ProducerConfigException.class)
                .hasMessageContaining("kafka.sasl.jaas.config names a login that cannot be used: " + reason);
    }
}
