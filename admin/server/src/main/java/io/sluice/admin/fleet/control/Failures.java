package io.sluice.admin.fleet.control;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.timeout.ReadTimeoutException;
import io.sluice.admin.address.AddressRejectedException;
import io.sluice.admin.problem.FailureKind;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Describes what failed in a call, in words for an operator. */
final class Failures {
    private static final JsonMapper JSON = new JsonMapper();
    /** The message of the JDK if the name in a certificate is not that of the host. */
    private static final Pattern OTHER_HOST = Pattern.compile("^No (subject alternative|name matching)");

    private static final int LONGEST_DETAIL = 2000;

    private Failures() {}

    /**
     * An answer that is no success.
     *
     * @param isSluice whether that server is known to be a Sluice server; the text of other programs is not shown
     */
    static ControlFailure of(HttpResponse response, byte[] body, ControlUrl url, boolean isSluice) {
        int status = response.status().code();
        String type = response.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
        boolean isProblem = type.startsWith("application/problem+json");
        if (status == 401) {
            return new ControlFailure(
                    FailureKind.UNAUTHORIZED,
                    status,
                    "%s does not accept the token: make one with `sluice.sh token add` on the server, and enter it here"
                            .formatted(url));
        }
        if (status == 429 && isProblem && !isSluice) {
            return new ControlFailure(
                    FailureKind.UNAUTHORIZED,
                    status,
                    "%s answers with HTTP 429: it was sent too many wrong tokens, or has too many connections or calls of this token: try again in a minute, with a right one"
                            .formatted(url));
        }
        String detail = isProblem && isSluice ? detail(body) : null;
        if (detail == null) {
            return new ControlFailure(
                    isSluice ? FailureKind.REJECTED : FailureKind.UNREACHABLE,
                    status,
                    isSluice
                            ? "%s answers with HTTP %d".formatted(url, status)
                            : "what answers at %s is no Sluice server (HTTP %d): check address and port"
                                    .formatted(url, status));
        }
        return new ControlFailure(status == 403 ? FailureKind.UNAUTHORIZED : FailureKind.REJECTED, status, detail);
    }

    private static @Nullable String detail(byte[] body) {
        try {
            String detail = JSON.readTree(body).path("detail").asString("");
            return detail.isEmpty() ? null : shown(detail);
        } catch (JacksonException e) {
            return null;
        }
    }

    /** A text without control characters, and not too long. */
    private static String shown(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", " ");
        return clean.length() > LONGEST_DETAIL ? clean.substring(0, LONGEST_DETAIL) + "…" : clean;
    }

    /** Something that went wrong before there was an answer. */
    static ControlFailure of(@Nullable Throwable cause, ControlUrl url) {
        Throwable root = cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
        if (root instanceof ControlFailure known) {
            return known;
        }
        return new ControlFailure(FailureKind.UNREACHABLE, message(root, url), root == null ? new IOException() : root);
    }

    private static String message(@Nullable Throwable cause, ControlUrl url) {
        if (cause instanceof ConnectTimeoutException || cause instanceof ReadTimeoutException) {
            return "%s does not answer in time: is the server overloaded, or is there a firewall?".formatted(url);
        }
        if (cause instanceof ConnectException) {
            return "%s refuses connections: does the server run, and does its control API listen there (canal.control.port, canal.control.ip)?"
                    .formatted(url);
        }
        if (hasCause(cause, CertificateException.class)) {
            return ofCertificate(cause, url);
        }
        if (hasCause(cause, SSLException.class)) {
            return "there is no TLS connection to %s: does it speak TLS there (canal.control.tls)?".formatted(url);
        }
        if (cause instanceof AddressRejectedException || cause instanceof NamedFailure) {
            return String.valueOf(cause.getMessage());
        }
        if (cause instanceof IOException && cause.getClass() == IOException.class && cause.getMessage() != null) {
            return "%s cannot be reached: %s".formatted(url, ascii(cause.getMessage()));
        }
        return "the connection to %s has ended".formatted(url);
    }

    private static String ofCertificate(@Nullable Throwable cause, ControlUrl url) {
        if (hasCause(cause, CertificateExpiredException.class)) {
            return "the certificate of %s has expired: renew it on the server (canal.control.tls), and compare the clocks of both machines"
                    .formatted(url);
        }
        if (hasCause(cause, CertificateNotYetValidException.class)) {
            return "the certificate of %s is not valid yet: compare the clocks of both machines".formatted(url);
        }
        for (Throwable one = cause; one != null; one = one.getCause()) {
            String message = String.valueOf(one.getMessage());
            if (one instanceof CertificateException
                    && OTHER_HOST.matcher(message).find()) {
                return "the certificate of %s is one of another host: enter the control URL with a name or an address that is in the certificate, or make one that has %s as a subject alternative name"
                        .formatted(url, url.host());
            }
        }
        return "the certificate of %s is not trusted: set sluice.admin.trust-store to a file with the authority that signed it, or with the certificate itself"
                .formatted(url);
    }

    private static String ascii(String text) {
        return shown(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
    }

    private static boolean hasCause(@Nullable Throwable failure, Class<? extends Throwable> kind) {
        for (Throwable one = failure; one != null; one = one.getCause()) {
            if (kind.isInstance(one)) {
                return true;
            }
        }
        return false;
    }
}
