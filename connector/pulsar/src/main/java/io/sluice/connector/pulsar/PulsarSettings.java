package io.sluice.connector.pulsar;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.jspecify.annotations.Nullable;

/**
 * What the operator's properties make of Pulsar's producer.
 *
 * @param serviceUrl the brokers, as {@code pulsar://host:port,host:port} or {@code pulsar+ssl://}
 * @param token the token of the login, or {@code file:} and its path; empty for none
 * @param topicPrefix what is before each topic and a slash, such as {@code public/default}; may be empty
 * @param adminUrl where topics are made; null if they are not
 * @param listenerName which of the addresses that a broker announces is used; empty for its first
 * @param chunking whether a message that is too large for one goes in several
 * @param maxMessageBytes the largest message that the broker takes
 * @param bufferBytes how much may be on its way
 * @param sendTimeout how long the broker may take to confirm a message
 * @param batchingDelay how long a message waits for others that go with it
 * @param producerName as the broker knows the producers of a destination, with {@link #DESTINATION} for its name; no other producer of
 *     a topic has it; empty for the default
 * @param tls how the broker and this client authenticate each other
 * @param corrections what is left out of what the operator has set, or is a risk, as sentences that begin with the key
 */
record PulsarSettings(
        String serviceUrl,
        String token,
        String topicPrefix,
        @Nullable String adminUrl,
        String listenerName,
        boolean chunking,
        CompressionType compression,
        ProducerAccessMode accessMode,
        int maxMessageBytes,
        int bufferBytes,
        Duration sendTimeout,
        Duration batchingDelay,
        String producerName,
        Tls tls,
        List<String> corrections) {
    /** The placeholder for the destination's name. */
    static final String DESTINATION = "${destination}";

    /** The prefix of a token that names a file. */
    static final String TOKEN_FILE = "file:";

    /** What a message of one value takes besides it: its properties, and the reason of a dead letter among them. */
    static final int OVERHEAD_BYTES = 8 * 1024;

    /** The client's own limits of a batch, of which the first counts values only. */
    private static final int MAX_BATCH_BYTES = 128 * 1024;

    private static final int MAX_BATCH_MESSAGES = 1_000;

    /** The time that a login by TLS may take, too. */
    private static final Duration MIN_KEEP_ALIVE = Duration.ofSeconds(10);

    /** The client's own default. */
    private static final Duration CLIENT_KEEP_ALIVE = Duration.ofSeconds(30);

    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    /** What a message of a batch takes besides its value; more if its key or its headers are long. */
    private static final int BATCHED_OVERHEAD_BYTES = 512;

    /**
     * How the broker and this client authenticate each other, if the connection is by TLS.
     *
     * @param trustCertificates the certificate authorities for the broker, as PEM; null for those that the JVM trusts
     * @param certificate the certificate of this client, as PEM; null if the broker does not ask for it
     * @param key the certificate's, as PEM
     * @param anyCertificate whether any certificate is accepted
     * @param hostVerification whether the broker's certificate must name its host
     */
    record Tls(
            @Nullable Path trustCertificates,
            @Nullable Path certificate,
            @Nullable Path key,
            boolean anyCertificate,
            boolean hostVerification) {}

    /** As the broker knows the producers of a destination; empty, unless the operator chooses it. */
    String producerName(String destination) {
        return producerName.replace(DESTINATION, destination);
    }

    /** Read again for each connection if it is in a file, so that it can be exchanged while the server runs. */
    String currentToken() {
        if (!token.startsWith(TOKEN_FILE)) {
            return token;
        }
        Path file = Path.of(token.substring(TOKEN_FILE.length()));
        try {
            return Files.readString(file).trim();
        } catch (IOException e) {
            throw new UncheckedIOException("pulsarmq.roleToken names a file that cannot be read: " + file, e);
        }
    }

    /** The topic as the broker knows it. */
    String fullName(String topic) {
        return topicPrefix.isEmpty() ? topic : topicPrefix + "/" + topic;
    }

    /**
     * The time after which the client asks a silent broker for a sign, which may take as long again. The question waits behind a message that is being sent, and
     * a broker that is throttling does not read it: so the connection to several brokers is not tested in less than {@link #sendTimeout}, which limits how long
     * a message may take. It is tested that soon since about every second question of the client is for a broker of the list that does not answer, until
     * the connection is found to be dead. With a single broker there is no other to ask.
     */
    Duration keepAlive() {
        if (serviceUrl.indexOf(',') < 0) {
            return CLIENT_KEEP_ALIVE;
        }
        Duration wholeSeconds = Duration.ofSeconds(sendTimeout.plusMillis(999).toSeconds());
        return wholeSeconds.compareTo(MIN_KEEP_ALIVE) < 0 ? MIN_KEEP_ALIVE : wholeSeconds;
    }

    /** The longest pause between two attempts of the client to reach the broker of a partition. */
    Duration longestPause() {
        Duration quarter = sendTimeout.dividedBy(4);
        return quarter.compareTo(MAX_PAUSE) < 0 ? quarter : MAX_PAUSE;
    }

    /**
     * How long an answer of the client is waited for: a bit longer than it tries to get one, since it knows why there is none. It begins a last attempt
     * after a pause.
     */
    Duration clientLimit() {
        return sendTimeout.plus(longestPause().multipliedBy(2));
    }

    /** The largest value that is surely taken. */
    int maxValueBytes() {
        return chunking ? Math.max(bufferBytes, maxMessageBytes) : maxMessageBytes - OVERHEAD_BYTES;
    }

    /** How large the values of a batch may be together: half of what the broker takes, the rest is for what is around them. */
    int maxBatchBytes() {
        return Math.min(MAX_BATCH_BYTES, (maxMessageBytes - OVERHEAD_BYTES) / 2);
    }

    /** How many messages a batch may have. */
    int maxBatchMessages() {
        return Math.min(MAX_BATCH_MESSAGES, (maxMessageBytes - OVERHEAD_BYTES) / 2 / BATCHED_OVERHEAD_BYTES);
    }

    /** Whether a value of that size may be sent: with compression, only the client can determine that. */
    boolean mayFit(int bytes) {
        return chunking || compression != CompressionType.NONE || bytes <= maxMessageBytes;
    }

    @Override
    public String toString() {
        return "PulsarSettings[" + serviceUrl + "]"; // nothing secret, since it may be logged
    }
}
