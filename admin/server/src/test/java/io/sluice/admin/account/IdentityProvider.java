package io.sluice.admin.account;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** An identity provider that logs in the user that a test sets, and can send false tokens. */
final class IdentityProvider implements AutoCloseable {
    private final HttpServer server;
    private final String client;
    private final String secret;
    private final RSAKey key = key();
    private final RSAKey otherKey = key();
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private volatile Map<String, Object> user = Map.of();
    private volatile Lie lie = Lie.NONE;

    /** What is wrong with a token. */
    enum Lie {
        NONE,
        AUDIENCE,
        ISSUER,
        KEY,
        NONCE,
        EXPIRED
    }

    private IdentityProvider(HttpServer server, String client, String secret) {
        this.server = server;
        this.client = client;
        this.secret = secret;
    }

    static IdentityProvider start(String client, String secret) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        IdentityProvider provider = new IdentityProvider(server, client, secret);
        server.createContext("/", provider::answer);
        server.start();
        return provider;
    }

    String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void user(Map<String, Object> claims) {
        user = claims;
    }

    void lie(Lie about) {
        lie = about;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            switch (exchange.getRequestURI().getPath()) {
                case "/.well-known/openid-configuration" -> json(exchange, 200, """
                        {"issuer": "%1$s", "authorization_endpoint": "%1$s/authorize", "token_endpoint": "%1$s/token",
                         "jwks_uri": "%1$s/keys", "response_types_supported": ["code"], "subject_types_supported": ["public"],
                         "id_token_signing_alg_values_supported": ["RS256"]}""".formatted(issuer()));
                case "/keys" -> json(exchange, 200, new JWKSet(key.toPublicJWK()).toString());
                case "/authorize" -> authorize(exchange);
                case "/token" -> token(exchange);
                default -> json(exchange, 404, "{}");
            }
        }
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> asked = form(exchange.getRequestURI().getRawQuery());
        String code = UUID.randomUUID().toString();
        codes.put(code, asked);
        exchange.getResponseHeaders()
                .set(
                        "Location",
                        asked.get("redirect_uri") + "?code=" + code + "&state="
                                + URLEncoder.encode(asked.get("state"), StandardCharsets.UTF_8));
        exchange.sendResponseHeaders(302, -1);
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> sent = form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Map<String, String> asked = codes.remove(sent.getOrDefault("code", ""));
        String login =
                "Basic " + Base64.getEncoder().encodeToString((client + ":" + secret).getBytes(StandardCharsets.UTF_8));
        boolean isGood = asked != null
                && login.equals(exchange.getRequestHeaders().getFirst("Authorization"))
                && asked.get("code_challenge").equals(challenge(sent.getOrDefault("code_verifier", "")))
                && asked.get("redirect_uri").equals(sent.get("redirect_uri"));
        if (!isGood) {
            json(exchange, 400, "{\"error\": \"invalid_grant\"}");
            return;
        }
        json(
                exchange,
                200,
                "{\"access_token\": \"x\", \"token_type\": \"Bearer\", \"id_token\": \"%s\"}"
                        .formatted(idToken(asked.get("nonce"))));
    }

    private String idToken(String nonce) {
        Instant now = Instant.now();
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(lie == Lie.ISSUER ? "https://evil.example" : issuer())
                .subject("subject-of-" + user.get("preferred_username"))
                .audience(lie == Lie.AUDIENCE ? "another" : client)
                .issueTime(Date.from(lie == Lie.EXPIRED ? now.minusSeconds(7200) : now))
                .expirationTime(Date.from(lie == Lie.EXPIRED ? now.minusSeconds(3600) : now.plusSeconds(300)))
                .claim("nonce", lie == Lie.NONCE ? "another" : nonce);
        user.forEach(claims::claim);
        try {
            RSAKey signing = lie == Lie.KEY ? otherKey : key;
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(key.getKeyID())
                            .build(),
                    claims.build());
            token.sign(new RSASSASigner(signing));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String challenge(String verifier) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RSAKey key() {
        try {
            return new RSAKeyGenerator(2048).keyID("one").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> form(String text) {
        Map<String, String> values = new HashMap<>();
        for (String pair : text.split("&")) {
            int at = pair.indexOf('=');
            values.put(
                    URLDecoder.decode(pair.substring(0, at), StandardCharsets.UTF_8),
                    URLDecoder.decode(pair.substring(at + 1), StandardCharsets.UTF_8));
        }
        return values;
    }

    private static void json(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
