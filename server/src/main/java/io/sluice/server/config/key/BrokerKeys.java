package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.BOOLEAN;
import static io.sluice.server.config.text.ValueType.SECRET;
import static io.sluice.server.config.text.ValueType.TEXT;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.ValueType;
import java.util.List;
import java.util.Map;

/**
 * The keys of connectors that have a definition here: those with a name outside of the connector's prefix, and those that are read
 * before the connector is. All others are the connectors' own.
 */
public final class BrokerKeys {
    public static final KeyGroup GROUP = new KeyGroup("Brokers");
    public static final KeyGroup FORMER_NAMES = new KeyGroup("Names of canal 1.1.4 and before");

    static {
        GROUP.add(Key.server("kafka.kerberos.enable", BOOLEAN, "false")
                .described("Log in to Kafka by Kerberos; needs the next two. See [kafka.md](kafka.md#security)."));
        GROUP.add(Key.server("kafka.kerberos.krb5.file", TEXT, "")
                .described("The file `krb5.conf`, which counts for the whole process."));
        GROUP.add(Key.server("kafka.kerberos.jaas.file", TEXT, "")
                .described("The file with the login, in its section `KafkaClient`; it counts for Kafka alone."));
        GROUP.add(Key.server("canal.aliyun.accessKey", SECRET, "")
                .described(
                        "With the next one: the credentials for RocketMQ with ACL; see [rocketmq.md](rocketmq.md)."));
        GROUP.add(Key.server("canal.aliyun.secretKey", SECRET, "").described("The secret that belongs to it."));
        GROUP.add(Key.server("canal.aliyun.uid", TEXT, "")
                .described("With RabbitMQ, all three together are rejected: see [rabbitmq.md](rabbitmq.md)."));
        GROUP.add(Key.server("canal.mq.accessChannel", TEXT, "local")
                .described("With RocketMQ: `cloud` sends traces to where Aliyun wants them, `local` does not."));
        for (Map.Entry<String, List<String>> alias : ProducerKeys.allAliases().entrySet()) {
            FORMER_NAMES.add(Key.server(alias.getKey(), typeOf(alias.getValue()), "")
                    .described("Read as `" + String.join("`, `", alias.getValue()) + "`."));
        }
    }

    private BrokerKeys() {}

    /** The type of the key that an old name is for, if it is defined here; the values of all others are checked by their connectors. */
    private static ValueType<?> typeOf(List<String> names) {
        return GROUP.keys().stream()
                .filter(key -> names.equals(List.of(key.name())))
                .findAny()
                .<ValueType<?>>map(Key::type)
                .orElse(TEXT);
    }
}
