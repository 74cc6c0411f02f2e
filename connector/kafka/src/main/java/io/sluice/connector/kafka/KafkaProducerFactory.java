package io.sluice.connector.kafka;

import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.attempt.Broker;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.client.KafkaBroker;
import io.sluice.connector.kafka.failure.KafkaErrors;
import io.sluice.connector.kafka.probe.KafkaProbe;
import io.sluice.connector.kafka.produce.Cluster;
import io.sluice.connector.kafka.settings.KafkaSettings;
import io.sluice.connector.kafka.transaction.TransactionalKafkaProducer;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Kafka producers by one set of settings, with buffers that all producers of the process share. A producer continues the identity
 * of the one of its destination that was closed before.
 */
record KafkaProducerFactory(KafkaSettings settings, BatchBuffers buffers, FormerIdentities identities, Time time)
        implements MessageProducerFactory {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaProducerFactory.class);

    @Override
    public MessageProducer create(ProducerContext context) {
        KafkaSettings own = settings.forDestination(context.destination());
        Ownership ownership = context.ownership();
        own.corrections().forEach(correction -> LOG.warn("Kafka option: {}", correction));
        prepare(own);
        if (own.compresses("lz4")) {
            NativeLz4.load();
        }
        Compression compression = compression(own);
        NativeCompression.check(compression);
        if (own.isTransactional()) {
            return TransactionalKafkaProducer.open(batchBytes -> connect(own, batchBytes), own, ownership, time);
        }
        Broker broker = own.writesBatches()
                ? batchBroker(own, compression, context)
                : new KafkaBroker(
                        batchBytes -> connect(own, batchBytes),
                        own,
                        identities.ofClients(context.destination()),
                        ownership,
                        time);
        return new AttemptProducer(broker, ownership, time);
    }

    @Override
    public void probe(String destination, List<TopicNeed> topics, Duration limit, Findings findings)
            throws InterruptedException {
        KafkaSettings own = settings.forDestination(destination);
        own.corrections().forEach(correction -> findings.warning("options", correction, ""));
        prepare(own);
        try {
            NativeCompression.check(compression(own));
        } catch (ProducerConfigException e) {
            findings.failed("options", String.valueOf(e.getMessage()), "");
            return;
        }
        Duration each = limit.dividedBy(2); // what is unreachable shows at the first question
        Admin admin;
        try {
            admin = withOwnLoader(own, () -> Admin.create(own.adminConfig(each)));
        } catch (NotAdmittedException e) {
            findings.failed("login", String.valueOf(e.getMessage()), "");
            return;
        } catch (ProducerConfigException e) {
            findings.failed("connection", String.valueOf(e.getMessage()), "check kafka.bootstrap.servers and kafka.*");
            return;
        }
        try {
            new KafkaProbe(admin, own, each, findings).run(topics);
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    /** Kerberos takes its file from the process. */
    private static void prepare(KafkaSettings settings) {
        if (settings.krb5File() != null) {
            System.setProperty("java.security.krb5.conf", settings.krb5File().toString());
        }
    }

    private Broker batchBroker(KafkaSettings settings, Compression compression, ProducerContext context) {
        int maxInFlight = settings.produceOptions().maxInFlight();
        return new BatchBroker(
                () -> withOwnLoader(settings, () -> Cluster.open(new ProducerConfig(settings.config()), maxInFlight)),
                settings,
                compression,
                buffers,
                identities.ofBatches(context.destination()),
                context,
                time);
    }

    private static Compression compression(KafkaSettings settings) {
        return RecordCompression.of(withOwnLoader(settings, settings::parsed));
    }

    private static KafkaProducer<byte[], byte[]> connect(KafkaSettings settings, long batchBytes) {
        return withOwnLoader(settings, () -> new KafkaProducer<>(settings.config(batchBytes)));
    }

    /** Kafka loads classes that options name by the thread's class loader, which need not be the one of this module. */
    private static <T> T withOwnLoader(KafkaSettings settings, Supplier<T> connect) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(KafkaProducer.class.getClassLoader());
        try {
            return connect.get();
        } catch (KafkaException e) {
            NotAdmittedException ofLogin =
                    KafkaErrors.ofPreparation(e, text -> settings.secrets().maskedIn(text));
            if (ofLogin != null) {
                throw ofLogin;
            }
            throw new ProducerConfigException(List.of(new ConfigProblem("kafka.*", reasonOf(e, settings))));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Kafka wraps what is wrong, such as a broker's name that cannot be resolved, in "Failed to construct". */
    private static String reasonOf(KafkaException failure, KafkaSettings settings) {
        Throwable cause =
                failure instanceof ConfigException || failure.getCause() == null ? failure : failure.getCause();
        String ofLogin = KafkaErrors.reasonOfLogin(failure);
        if (ofLogin != null) {
            return "kafka.sasl.jaas.config names a login that cannot be used: " + ofLogin;
        }
        String message = String.valueOf(cause.getMessage());
        if (message.contains(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
            message += " (%s)".formatted(settings.bootstrapServers());
        }
        return message.contains(" in JAAS config")
                ? "kafka.sasl.jaas.config cannot be read: it must be <module> <flag> name=\"value\" …; with values in quotes"
                : message; // Kafka's own would quote what it found, which may be a part of a password
    }
}
