package io.sluice.connector.pulsar;

import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SizeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes Pulsar producers by one set of settings. */
record PulsarProducerFactory(PulsarSettings settings) implements MessageProducerFactory {
    private static final Logger LOG = LoggerFactory.getLogger(PulsarProducerFactory.class);

    @Override
    public boolean usesDeployment() {
        return true;
    }

    @Override
    public MessageProducer create(ProducerContext context) {
        settings.corrections().forEach(correction -> LOG.warn("Pulsar option: {}", correction));
        return new AttemptProducer(
                new PulsarBroker(connect(settings), settings, context, Time.SYSTEM), context.ownership(), Time.SYSTEM);
    }

    @Override
    public void probe(String destination, List<TopicNeed> topics, Duration limit, Findings findings)
            throws InterruptedException {
        PulsarClient client;
        try {
            client = connect(settings);
        } catch (ProducerConfigException e) {
            findings.failed("connection", String.valueOf(e.getMessage()), "check pulsarmq.*");
            return;
        }
        try {
            new PulsarProbe(client, settings, limit.dividedBy(2), findings).run(topics);
        } finally {
            closeLater(client);
        }
    }

    /** It takes some seconds, in which the client's threads end. */
    private static void closeLater(PulsarClient client) {
        Thread end = new Thread(
                () -> {
                    try {
                        client.shutdown();
                    } catch (PulsarClientException | RuntimeException e) {
                        LOG.debug("closing the client failed: cause={}", String.valueOf(e.getMessage()));
                    }
                },
                "pulsar-close");
        end.setDaemon(true);
        end.start();
    }

    /** The client connects when it is first used. It loads classes by the thread's class loader, which may be another's. */
    private static PulsarClient connect(PulsarSettings settings) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(PulsarClient.class.getClassLoader());
        try {
            return builder(settings).build();
        } catch (PulsarClientException | IllegalArgumentException e) {
            throw new ProducerConfigException(List.of(new ConfigProblem("pulsarmq.*", String.valueOf(e.getMessage()))));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @SuppressWarnings("deprecation") // statistics are on by default, and only this ends them
    private static ClientBuilder builder(PulsarSettings settings) {
        int timeoutMillis = (int) settings.sendTimeout().toMillis();
        ClientBuilder client = PulsarClient.builder()
                .serviceUrl(settings.serviceUrl())
                .ioThreads(1)
                .listenerThreads(1)
                .statsInterval(0, TimeUnit.SECONDS) // else each producer logs a line a minute, and keeps statistics
                .memoryLimit(0, SizeUnit.BYTES) // the producer has a limit of its own
                .operationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                .lookupTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                .keepAliveInterval((int) settings.keepAlive().toSeconds(), TimeUnit.SECONDS)
                .connectionTimeout(Math.min(timeoutMillis, 10_000), TimeUnit.MILLISECONDS)
                .maxBackoffInterval(Math.max(100, settings.longestPause().toMillis()), TimeUnit.MILLISECONDS);
        if (!settings.listenerName().isEmpty()) {
            client.listenerName(settings.listenerName());
        }
        if (!settings.token().isEmpty()) {
            client.authentication(AuthenticationFactory.token(settings::currentToken));
        }
        secure(client, settings.tls());
        return client;
    }

    private static void secure(ClientBuilder client, PulsarSettings.Tls tls) {
        client.allowTlsInsecureConnection(tls.anyCertificate());
        client.enableTlsHostnameVerification(tls.hostVerification() && !tls.anyCertificate());
        if (tls.trustCertificates() != null) {
            client.tlsTrustCertsFilePath(tls.trustCertificates().toString());
        }
        if (tls.certificate() != null && tls.key() != null) {
            client.tlsCertificateFilePath(tls.certificate().toString());
            client.tlsKeyFilePath(tls.key().toString());
        }
    }
}
