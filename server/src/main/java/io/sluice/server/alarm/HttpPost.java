package io.sluice.server.alarm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Posts JSON by HTTP, with the trust store and the proxy of the JVM. Redirects are not followed, at most {@value #MAX_ANSWER_BYTES} bytes of
 * an answer are read, and the time limit holds until they are. Thread-safe.
 */
final class HttpPost {
    private static final int MAX_ANSWER_BYTES = 8192;

    private final HttpClient client;

    HttpPost() {
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /**
     * Posts.
     *
     * @throws IOException if there is no answer in time; the message does not quote the URL
     */
    HttpAnswer post(Posting posting, Duration limit) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(posting.uri())
                .timeout(limit)
                .header("Content-Type", "application/json; charset=utf-8")
                .header("User-Agent", "Sluice")
                .POST(BodyPublishers.ofString(posting.body()))
                .build();
        CompletableFuture<HttpResponse<String>> exchange = client.sendAsync(request, head -> new Beginning());
        try {
            HttpResponse<String> response = exchange.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return new HttpAnswer(response.statusCode(), response.body(), retryAfter(response));
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + limit.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new IOException(reason(e.getCause(), limit, posting), e);
        } finally {
            exchange.cancel(true);
        }
    }

    private static OptionalLong retryAfter(HttpResponse<?> response) {
        try {
            return response.headers().firstValueAsLong("Retry-After");
        } catch (NumberFormatException e) {
            return OptionalLong.empty(); // it is a date, or nonsense
        }
    }

    private static String reason(@Nullable Throwable cause, Duration limit, Posting posting) {
        if (cause instanceof HttpTimeoutException) {
            return "no answer within " + limit.toMillis() + " ms";
        }
        if (cause instanceof ConnectException) {
            return "the host cannot be connected to";
        }
        if (cause instanceof SSLException) {
            return "TLS failed: "
                    + String.valueOf(cause.getMessage()).replace(posting.uri().getHost(), "the host");
        }
        // Other messages may quote anything of the request.
        return cause instanceof IOException || cause instanceof UncheckedIOException
                ? "the connection broke, or what came is not HTTP"
                : "it cannot be posted: "
                        + (cause == null ? "" : cause.getClass().getSimpleName());
    }

    /** Keeps the beginning of a body, and reads no more. */
    private static final class Beginning implements HttpResponse.BodySubscriber<String> {
        private final CompletableFuture<String> text = new CompletableFuture<>();
        private final ByteBuffer bytes = ByteBuffer.allocate(MAX_ANSWER_BYTES);
        private Flow.@Nullable Subscription subscription;

        @Override
        public CompletionStage<String> getBody() {
            return text;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            for (ByteBuffer part : parts) {
                while (part.hasRemaining() && bytes.hasRemaining()) {
                    bytes.put(part.get());
                }
            }
            if (!bytes.hasRemaining()) {
                Flow.Subscription open = subscription;
                if (open != null) {
                    open.cancel();
                }
                onComplete();
            }
        }

        @Override
        public void onError(Throwable cause) {
            text.completeExceptionally(cause);
        }

        @Override
        public void onComplete() {
            text.complete(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8));
        }
    }
}
