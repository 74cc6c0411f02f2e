package io.sluice.connector.kafka;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that gives out signed tokens, and the key by which a broker checks them. */
final class TokenEndpoint implements AutoCloseable {
    /** For whom its tokens are. */
    static final String AUDIENCE = "kafka";

    /** Who its tokens are of. */
    static final String ISSUER = "https://tokens.example.com";

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final String KEY_ID = "first";

    private final HttpServer server;

    private TokenEndpoint(HttpServer server) {
        this.server = server;
    }

    /** Makes the key of some tokens. */
    static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    /** Writes what a broker needs to check tokens. */
    static void writeKey(KeyPair keys, Path file) throws IOException {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        Files.writeString(
                file,
                "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"%s\",\"n\":\"%s\",\"e\":\"%s\"}]}"
                        .formatted(
                                KEY_ID,
                                BASE64.encodeToString(key.getModulus().toByteArray()),
                                BASE64.encodeToString(key.getPublicExponent().toByteArray())));
    }

    /** Gives out tokens, which are signed by {@code keys}. */
    static TokenEndpoint start(int port, KeyPair keys) throws IOException {
        return serve(port, exchange -> grant(exchange, keys, 3600));
    }

    /** Gives out none, answers with a status of HTTP, and quotes the login that asks for one, as servers do that are made to be understood. */
    static TokenEndpoint startRejecting(int port, int status) throws IOException {
        return serve(port, exchange -> reject(exchange, status));
    }

    /** Gives out one that is valid for two seconds, and then does as one that rejects. */
    static TokenEndpoint startRevoking(int port, KeyPair keys, AtomicInteger rejected) throws IOException {
        AtomicBoolean isGranted = new AtomicBoolean();
        return serve(port, exchange -> {
            if (isGranted.compareAndSet(false, true)) {
                grant(exchange, keys, 2);
            } else {
                reject(exchange, 401);
                rejected.incrementAndGet();
            }
        });
    }

    private static TokenEndpoint serve(int port, HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/token", handler);
        server.start();
        return new TokenEndpoint(server);
    }

    private static void grant(HttpExchange exchange, KeyPair keys, int seconds) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        answer(
                exchange,
                200,
                "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"expires_in\":%d}"
                        .formatted(token(keys, seconds), seconds));
    }

    private static void reject(HttpExchange exchange, int status) throws IOException {
        String login = exchange.getRequestHeaders().getFirst("Authorization").replace("Basic ", "");
        answer(
                exchange,
                status,
                "{\"error\":\"invalid_client\",\"error_description\":\"no such login: %s\"}"
                        .formatted(new String(Base64.getDecoder().decode(login), StandardCharsets.UTF_8)));
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] answer = text.getBytes(StandardCharsets.UTF_8);
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(status, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private static String token(KeyPair keys, int seconds) throws IOException {
        long now = Instant.now().getEpochSecond();
        String unsigned = encoded("{\"alg\":\"RS256\",\"kid\":\"%s\",\"typ\":\"JWT\"}".formatted(KEY_ID))
                + "."
                + encoded("{\"iss\":\"%s\",\"sub\":\"sluice\",\"aud\":\"%s\",\"scope\":\"write\",\"iat\":%d,\"exp\":%d}"
                        .formatted(ISSUER, AUDIENCE, now, now + seconds));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(unsigned.getBytes(StandardCharsets.US_ASCII));
            return unsigned + "." + BASE64.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static String encoded(String json) {
        return BASE64.encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
