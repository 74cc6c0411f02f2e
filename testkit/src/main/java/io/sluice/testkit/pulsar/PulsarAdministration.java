package io.sluice.testkit.pulsar;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Requests to the HTTP interface of a broker, which sends some of them on to another one.
 *
 * @param url the broker's, without a path
 * @param token of the user; empty if the broker has no authentication
 */
record PulsarAdministration(String url, String token) {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int TEMPORARY_REDIRECT = 307;

    /**
     * Sends a request below {@code /admin/v2/}.
     *
     * @param json the body; empty if there is none
     * @return what it answers
     * @throws IllegalStateException if it rejects that; what is there already is no failure
     */
    String admin(String method, String path, String json) {
        return request(method, url + "/admin/v2/" + path, json);
    }

    /** Which broker serves a topic, by its full name; the answer is JSON. */
    String lookup(String topic) {
        return request("GET", url + "/lookup/v2/topic/persistent/" + topic, "");
    }

    /** In which bundle of its namespace a topic is, by its full name. */
    String bundleOf(String topic) {
        return request("GET", url + "/lookup/v2/topic/persistent/" + topic + "/bundle", "")
                .replace("\"", "")
                .strip();
    }

    private String request(String method, String address, String json) {
        try {
            HttpURLConnection http = open(method, address, json);
            int status = http.getResponseCode();
            if (status == TEMPORARY_REDIRECT) {
                return request(method, http.getHeaderField("Location"), json);
            }
            if (status < HttpURLConnection.HTTP_BAD_REQUEST) {
                return text(http.getInputStream());
            }
            String reason = text(http.getErrorStream());
            if (status == HttpURLConnection.HTTP_CONFLICT) {
                return "";
            }
            throw new IllegalStateException(
                    "the broker answers %d to %s %s: %s".formatted(status, method, address, reason));
        } catch (IOException e) {
            throw new IllegalStateException("the broker does not answer", e);
        }
    }

    private HttpURLConnection open(String method, String address, String json) throws IOException {
        HttpURLConnection http = (HttpURLConnection) URI.create(address).toURL().openConnection();
        http.setConnectTimeout((int) TIMEOUT.toMillis());
        http.setReadTimeout((int) TIMEOUT.toMillis());
        http.setInstanceFollowRedirects(false); // it would follow those of GET only
        http.setRequestMethod(method);
        if (!token.isEmpty()) {
            http.setRequestProperty("Authorization", "Bearer " + token);
        }
        if (!json.isEmpty()) {
            http.setDoOutput(true);
            http.setRequestProperty("Content-Type", "application/json");
            try (OutputStream body = http.getOutputStream()) {
                body.write(json.getBytes(StandardCharsets.UTF_8));
            }
        }
        return http;
    }

    private static String text(InputStream in) throws IOException {
        return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
