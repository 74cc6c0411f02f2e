package io.sluice.server.port;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A client of TLS 1.2 that trusts all, and a server, which shake hands in memory. */
final class EnginePair {
    private static final int BYTES = 32_768;

    private final SSLEngine client;
    private final SSLEngine server;
    private final ByteBuffer toServer = ByteBuffer.allocate(BYTES);
    private final ByteBuffer toClient = ByteBuffer.allocate(BYTES);
    private final ByteBuffer received = ByteBuffer.allocate(BYTES);

    /** @param server which accepts TLS 1.2 */
    EnginePair(SSLEngine server) throws GeneralSecurityException {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new Trusting()}, null);
        this.client = trusting.createSSLEngine();
        client.setUseClientMode(true);
        client.setEnabledProtocols(new String[] {"TLSv1.2"});
        this.server = server;
    }

    /** May be called again. */
    void shakeHands() throws SSLException {
        client.beginHandshake();
        do {
            move(client, toServer, server);
            move(server, toClient, client);
        } while (client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING);
    }

    private void move(SSLEngine from, ByteBuffer wire, SSLEngine to) throws SSLException {
        runTasks(from);
        SSLEngineResult result;
        do {
            result = from.wrap(ByteBuffer.allocate(0), wire);
            runTasks(from);
        } while (result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
        wire.flip();
        while (wire.hasRemaining()) {
            received.clear();
            to.unwrap(wire, received);
            runTasks(to);
            if (to.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                break;
            }
        }
        wire.compact();
    }

    private static void runTasks(SSLEngine engine) {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** The certificate that the client got. */
    X509Certificate presented() throws SSLPeerUnverifiedException {
        return (X509Certificate) client.getSession().getPeerCertificates()[0];
    }

    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
