package io.sluice.server.config.remote;

import io.sluice.protocol.tls.KeyStores;
import io.sluice.server.config.text.Masking;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Asks an admin server for what has changed of a configuration. For one thread at a time.
 *
 * <p>Each request has the digest of the text that is known, so that only changes are sent. A request that fails changes nothing of
 * what is known. Redirections are not followed: the password would go elsewhere.
 */
public final class AdminServer {
    /** How long an answer may take, from the connection to its last byte. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    /** canal-admin keeps 64 KiB of text at most; escapes in JSON make it longer. */
    private static final int MAX_BYTES = 4 << 20;

    private static final int MAX_INSTANCES = 10_000;

    /** For how many texts it is asked at the same time, at most: one after the other, those of many instances would take longer than commands wait. */
    private static final int ASKED_AT_A_TIME = 8;

    private final ManagerConfig config;
    private final Duration answerLimit;
    private final HttpClient http;
    private @Nullable RemoteTexts known;
    private @Nullable RemoteTexts remembered;

    /**
     * Prepares to ask; nothing is sent yet.
     *
     * @throws IOException if the trusted certificates cannot be read
     */
    public AdminServer(ManagerConfig config) throws IOException {
        this(config, ANSWER_LIMIT);
    }

    AdminServer(ManagerConfig config, Duration answerLimit) throws IOException {
        this.config = config;
        this.answerLimit = answerLimit;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(answerLimit);
        if (config.trust().isPresent()) {
            try {
                builder.sslContext(
                        KeyStores.context(null, KeyStores.trusted(config.trust().get())));
            } catch (GeneralSecurityException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        this.http = builder.build();
    }

    /** Where it is. */
    public URI address() {
        return config.address();
    }

    /**
     * Sets what an earlier process has got. Its instances are those that there are, as long as no answer states which these are; their texts
     * are asked for.
     */
    public void remember(RemoteTexts texts) {
        remembered = texts;
    }

    /**
     * Asks for the whole configuration.
     *
     * @throws AdminException if it gives none, or not all of it; what was known before is still known then
     */
    public RemoteTexts ask() throws AdminException {
        RemoteTexts before = known;
        String server = server(before == null ? "" : before.server());
        Iterable<String> destinations = destinations(before == null ? remembered : before);
        Map<String, String> instances = instances(destinations, before == null ? Map.of() : before.instances());
        Map<String, String> failures = new LinkedHashMap<>();
        instances.forEach((destination, text) -> {
            if (text.isEmpty()) {
                failures.put(
                        destination,
                        "the admin server %s lists the instance, but has no configuration of it"
                                .formatted(config.address()));
            }
        });
        known = new RemoteTexts(server, instances, failures);
        return known;
    }

    /** A request for the text of an instance, which was sent. */
    private record Asked(String destination, CompletableFuture<HttpResponse<byte[]>> answer) {}

    /**
     * The texts of instances, in their order; those that it does not have are empty. Several are asked for at the same time. Each answer may take longer than
     * the limit if others come meanwhile: the server may work on one after the other.
     *
     * @param old the texts that are known
     */
    private Map<String, String> instances(Iterable<String> destinations, Map<String, String> old)
            throws AdminException {
        Map<String, String> texts = new LinkedHashMap<>();
        destinations.forEach(destination -> texts.put(destination, old.getOrDefault(destination, "")));
        Iterator<String> left = List.copyOf(texts.keySet()).iterator();
        Set<Asked> open = new HashSet<>();
        BlockingQueue<Asked> ended = new LinkedBlockingQueue<>();
        try {
            while (left.hasNext() || !open.isEmpty()) {
                if (left.hasNext() && open.size() < ASKED_AT_A_TIME) {
                    String destination = left.next();
                    open.add(ask(destination, texts.getOrDefault(destination, ""), ended));
                } else {
                    Asked next = next(ended);
                    open.remove(next);
                    if (data(await(next.answer())) instanceof Envelope.Some some) {
                        some.content().ifPresent(text -> texts.put(next.destination(), text));
                    }
                }
            }
        } finally { // after a failure
            open.forEach(asked -> asked.answer().cancel(true));
        }
        return texts;
    }

    private Asked ask(String destination, String old, Queue<Asked> ended) {
        Asked asked =
                new Asked(destination, send("instance_polling/%s?md5=%s".formatted(encoded(destination), digest(old))));
        Future<?> unused = asked.answer().whenComplete((answer, failure) -> ended.add(asked));
        return asked;
    }

    private Asked next(BlockingQueue<Asked> ended) throws AdminException {
        try {
            Asked next = ended.poll(answerLimit.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                throw failure(noAnswer());
            }
            return next;
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private String server(String old) throws AdminException {
        Envelope.Data data = serverText(digest(old), config.register());
        String content = data instanceof Envelope.Some some ? some.content().orElse("") : "";
        if (!content.isEmpty()) {
            return content;
        }
        if (!old.isEmpty()) {
            return old;
        }
        boolean isUnknown = data instanceof Envelope.None;
        throw failure(
                isUnknown
                        ? ("it does not know the server %s with the management port %d: add it there, or set"
                                        + " canal.admin.register.auto = true%s")
                                .formatted(
                                        config.ip(),
                                        config.port(),
                                        config.cluster().isBlank()
                                                ? ""
                                                : "; the cluster " + config.cluster() + " must exist there")
                        : "its canal.properties of this server is empty: write it there",
                isUnknown ? AdminException.Kind.UNKNOWN_SERVER : AdminException.Kind.NO_TEXT);
    }

    private Envelope.Data serverText(String digest, boolean registers) throws AdminException {
        return get("server_polling?ip=%s&port=%s&md5=%s&register=%s&cluster=%s&name=%s"
                .formatted(
                        encoded(config.ip()),
                        config.port(),
                        digest,
                        registers ? 1 : 0,
                        encoded(config.cluster()),
                        encoded(config.name())));
    }

    /** The instances that are to run; those that are known if it does not state them. */
    private Iterable<String> destinations(@Nullable RemoteTexts before) throws AdminException {
        Envelope.Data data = get("instances_polling?md5=&ip=%s&port=%s".formatted(encoded(config.ip()), config.port()));
        Optional<String> content = data instanceof Envelope.Some some ? some.content() : Optional.empty();
        if (content.isEmpty()) {
            return before == null ? List.of() : before.instances().keySet();
        }
        List<String> names = Arrays.stream(content.get().split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
        if (names.size() > MAX_INSTANCES) {
            throw failure("it lists more than %d instances".formatted(MAX_INSTANCES));
        }
        if (names.isEmpty() && before != null && !before.instances().isEmpty()) {
            requireToBeKnown();
        }
        return names;
    }

    /** An empty list stops all instances, so it must be about this server. That nothing has changed is answered to any server. */
    private void requireToBeKnown() throws AdminException {
        Envelope.Data data = serverText("", false);
        if (!(data instanceof Envelope.Some some) || some.content().orElse("").isEmpty()) {
            throw failure(
                    "it lists no instance, and does not know the server %s with the management port %d any more: add it there again, with its instances"
                            .formatted(config.ip(), config.port()));
        }
    }

    private Envelope.Data get(String question) throws AdminException {
        return data(await(send(question)));
    }

    private CompletableFuture<HttpResponse<byte[]>> send(String question) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(config.address() + "/api/v1/config/" + question))
                .header("user", config.user())
                .header("passwd", config.storedPassword().value())
                .GET()
                .build();
        return http.sendAsync(request, response -> new BoundedBody(MAX_BYTES));
    }

    private Envelope.Data data(HttpResponse<byte[]> response) throws AdminException {
        if (response.statusCode() / 100 == 3) {
            throw failure("it redirects to %s: set canal.admin.manager to the address that is meant"
                    .formatted(Envelope.plain(
                            response.headers().firstValue("Location").orElse("another address"))));
        }
        if (response.statusCode() != 200) {
            throw failure("it answers by the HTTP status " + response.statusCode());
        }
        try {
            return Envelope.read(response.body());
        } catch (AdminException e) {
            throw failure(String.valueOf(e.getMessage()));
        }
    }

    private HttpResponse<byte[]> await(CompletableFuture<HttpResponse<byte[]>> answer) throws AdminException {
        try {
            return answer.get(answerLimit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw failure(noAnswer());
        } catch (ExecutionException e) {
            throw failure(reason(e.getCause()));
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw interrupted();
        }
    }

    private AdminException interrupted() {
        Thread.currentThread().interrupt();
        return failure("interrupted while it was asked");
    }

    private String noAnswer() {
        return "it does not answer within %d ms: check its log, and the network".formatted(answerLimit.toMillis());
    }

    private String reason(@Nullable Throwable cause) {
        if (cause instanceof HttpTimeoutException) {
            return noAnswer();
        }
        if (cause instanceof ConnectException) {
            return cause.getCause() instanceof UnresolvedAddressException
                            || rootOf(cause) instanceof UnresolvedAddressException
                    ? "there is no such host: correct canal.admin.manager"
                    : "no connection is possible: is it running, and is canal.admin.manager its address?";
        }
        if (cause instanceof SSLException) {
            return "TLS failed (%s): name its certificate, or that of its authority, in canal.admin.manager.tls.trustStore"
                    .formatted(Envelope.plain(String.valueOf(cause.getMessage())));
        }
        String message = cause == null ? null : cause.getMessage();
        return message == null
                ? "the connection broke (%s)"
                        .formatted(
                                cause == null ? "no reason" : cause.getClass().getSimpleName())
                : Envelope.plain(message);
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        for (int i = 0; i < 10 && root.getCause() != null; i++) {
            root = root.getCause();
        }
        return root;
    }

    private AdminException failure(String why) {
        return failure(why, AdminException.Kind.NO_ANSWER);
    }

    private AdminException failure(String why, AdminException.Kind kind) {
        return new AdminException(
                "the admin server %s gave no configuration: %s"
                        .formatted(
                                config.address(),
                                Masking.without(config.storedPassword().value(), why)),
                kind);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** As the admin server computes it; empty for a text that is not known. */
    static String digest(String text) {
        if (text.isEmpty()) {
            return "";
        }
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }
}
