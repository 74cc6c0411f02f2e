package io.sluice.connector.pulsar;

import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.protocol.tls.KeyStores;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/** Makes topics by the broker's HTTP interface: one request, for which Pulsar's own client would bring 20 MB. */
final class PulsarAdmin {
    private static final int MAX_TIMEOUT_MILLIS = 10_000;
    private static final String DEFAULT_NAMESPACE = "public/default/";
    private static final int MAX_REASON_LENGTH = 300;

    private final PulsarSettings settings;
    private final String url;

    PulsarAdmin(PulsarSettings settings, String url) {
        this.settings = settings;
        this.url = url;
    }

    /**
     * Makes a topic with partitions.
     *
     * @param topic with tenant and namespace, or none for Pulsar's default
     * @return false if it was there already, with whatever partitions
     * @throws IOException if the broker rejects it or does not answer
     */
    boolean createTopic(String topic, int partitions) throws IOException {
        HttpURLConnection http = open(topic);
        try (OutputStream body = http.getOutputStream()) {
            body.write(Integer.toString(partitions).getBytes(StandardCharsets.US_ASCII));
        }
        int status = http.getResponseCode();
        if (status == HttpURLConnection.HTTP_CONFLICT) {
            return false;
        }
        if (status >= HttpURLConnection.HTTP_MULT_CHOICE) {
            throw new IOException("pulsarmq.adminServerUrl answers %d: %s".formatted(status, reason(http)));
        }
        return true;
    }

    private HttpURLConnection open(String topic) throws IOException {
        URI uri = URI.create(url + path(topic));
        HttpURLConnection http = (HttpURLConnection) uri.toURL().openConnection();
        int timeoutMillis = (int) Math.min(settings.sendTimeout().toMillis(), MAX_TIMEOUT_MILLIS);
        http.setConnectTimeout(timeoutMillis);
        http.setReadTimeout(timeoutMillis);
        http.setRequestMethod("PUT");
        http.setDoOutput(true);
        http.setRequestProperty("Content-Type", "application/json");
        http.setRequestProperty("Connection", "close");
        String token = settings.currentToken();
        if (token.chars().anyMatch(Character::isISOControl)) {
            throw new IOException( // setRequestProperty would name the token in its exception
                    "pulsarmq.roleToken has a control character, such as a line break, and is not sent");
        }
        if (!token.isEmpty()) {
            http.setRequestProperty("Authorization", "Bearer " + token);
        }
        Path certificates = settings.tls().trustCertificates();
        if (http instanceof HttpsURLConnection https && certificates != null) {
            https.setSSLSocketFactory(trusting(certificates));
        }
        return http;
    }

    /** {@code /admin/v2/persistent/tenant/namespace/topic/partitions}, encoded, since a topic may have any name. */
    static String path(String topic) {
        String domain = topic.startsWith("non-persistent://") ? "non-persistent" : "persistent";
        String name = topic.substring(topic.indexOf("://") < 0 ? 0 : topic.indexOf("://") + 3);
        return "/admin/v2/" + domain + "/" + (name.indexOf('/') < 0 ? DEFAULT_NAMESPACE : "") + encoded(name)
                + "/partitions";
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("%2F", "/")
                .replace("+", "%20");
    }

    private static String reason(HttpURLConnection http) throws IOException {
        InputStream error = http.getErrorStream();
        return error == null ? "" : new String(error.readNBytes(MAX_REASON_LENGTH), StandardCharsets.UTF_8);
    }

    private static SSLSocketFactory trusting(Path certificates) throws IOException {
        try {
            KeyStoreFile file = new KeyStoreFile("PEM", certificates.toString(), "");
            return KeyStores.context(null, KeyStores.trusted(file)).getSocketFactory();
        } catch (IOException | GeneralSecurityException e) {
            throw new IOException("pulsarmq.tlsTrustCertsFilePath: " + e.getMessage(), e);
        }
    }
}
