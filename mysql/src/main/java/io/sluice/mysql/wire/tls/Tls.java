package io.sluice.mysql.wire.tls;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.protocol.tls.KeyStores;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Upgrades a connected socket to TLS. Key stores are read each time, so that a renewed one counts with the next login. For any thread. */
public final class Tls {
    private Tls() {}

    /**
     * Does the TLS handshake.
     *
     * @param tcp a connected socket, which is closed with the one that is returned, and is of no use after a failure
     * @param host the name or IP address that the certificate must be for, with {@link TlsMode#VERIFY_IDENTITY}
     * @param port the server's port
     * @param options whose mode is not {@link TlsMode#DISABLED}
     * @throws SourceException if a version of TLS is not known, or TLS cannot be set up
     * @throws IOException if a key store cannot be read, or the handshake fails
     */
    public static SSLSocket over(Socket tcp, String host, int port, TlsOptions options) throws IOException {
        SSLContext context = context(options);
        SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(tcp, host, port, true);
        List<String> supported = Arrays.asList(tls.getSupportedProtocols());
        if (!supported.containsAll(options.protocols())) {
            throw new SourceException(
                    SourceFailure.MISCONFIGURED,
                    "TLS versions %s are not all known; known are %s".formatted(options.protocols(), supported));
        }
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setProtocols(options.protocols().toArray(String[]::new));
        if (options.mode() == TlsMode.VERIFY_IDENTITY) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the rules of RFC 2818, IP addresses included
        }
        tls.setSSLParameters(parameters);
        try {
            tls.startHandshake();
        } catch (SSLException e) {
            throw new IOException(
                    "TLS handshake failed (TLS mode %s): %s".formatted(options.mode(), e.getMessage()), e);
        }
        return tls;
    }

    private static SSLContext context(TlsOptions options) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers(options.client()), trustManagers(options), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new SourceException(SourceFailure.MISCONFIGURED, "cannot set up TLS: " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] trustManagers(TlsOptions options) throws IOException {
        boolean verifies = options.mode() == TlsMode.VERIFY_CA || options.mode() == TlsMode.VERIFY_IDENTITY;
        if (!verifies) {
            return new TrustManager[] {new TrustAnyone()};
        }
        KeyStoreFile trust = options.trust();
        // Null is for the certificates that the JVM trusts.
        return trust == null ? null : KeyStores.trusted(trust).getTrustManagers();
    }

    private static KeyManager @Nullable [] keyManagers(@Nullable KeyStoreFile client) throws IOException {
        return client == null ? null : KeyStores.own(client).getKeyManagers();
    }

    /** Trusts every server, as the modes ask that do not verify. */
    private static final class TrustAnyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
