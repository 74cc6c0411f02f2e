package io.sluice.server.api;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.ssl.SslHandler;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.control.AuditLog;
import io.sluice.server.port.LoginDelay;
import io.sluice.server.port.PrintableInput;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.security.auth.x500.X500Principal;

/** Authenticates the callers of the API by their tokens or by the certificates of their connections. Thread-safe. */
final class Authentication implements AutoCloseable {
    private static final String BEARER = "Bearer ";
    private static final String ON_BEHALF_OF = "X-Sluice-On-Behalf-Of";
    private static final int LONGEST_NAME = 100;

    private final AccessList access;
    private final Map<String, String> certificates;
    private final LoginDelay loginDelay;
    private final RejectedTokens rejected;

    /**
     * Makes it.
     *
     * @param access the tokens; closed by this
     * @param certificates the spellings of roles, by the common names of certificates
     */
    Authentication(AccessList access, Map<String, String> certificates, LoginDelay loginDelay, AuditLog audit) {
        this.access = access;
        this.certificates = certificates;
        this.loginDelay = loginDelay;
        this.rejected = new RejectedTokens(audit);
    }

    /** The token of a request; empty if it has none. */
    static String token(HttpRequest request) {
        String header = authorization(request);
        return header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? header.substring(BEARER.length()).strip()
                : "";
    }

    private static String authorization(HttpRequest request) {
        return request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
    }

    /** Whether a token is accepted now, with a role by which its caller may do what needs another one. */
    boolean isAccepted(String token, ControlRole needed) {
        return access.find(token)
                .filter(item -> item.role().mayDoWhatNeeds(needed))
                .isPresent();
    }

    /** The caller, by its token, or by its certificate if it sends no credentials; empty if it is not authenticated. */
    Optional<Caller> caller(Channel channel, HttpRequest request) {
        String header = authorization(request);
        if (header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return access.find(token(request))
                    .map(token -> new Caller(token.name(), token.role(), address(channel), onBehalfOf(request)));
        }
        if (!header.isEmpty()) {
            return Optional.empty();
        }
        return commonName(channel)
                .flatMap(name -> Optional.ofNullable(certificates.get(name))
                        .flatMap(ControlRole::find)
                        .map(role -> new Caller(name, role, address(channel), onBehalfOf(request))));
    }

    /** The answer to a request without a caller, which makes its address wait if it was a wrong token. */
    FullHttpResponse reject(Channel channel, HttpRequest request) {
        boolean hasToken = request.headers().contains(HttpHeaderNames.AUTHORIZATION);
        if (!loginDelay.waitOf(inetAddress(channel)).isZero()) {
            if (hasToken) {
                rejected.count();
            }
            return ApiResponses.problem(429, "too many wrong tokens came from this address: try again in a minute");
        }
        if (hasToken) {
            loginDelay.failed(inetAddress(channel));
            rejected.add(address(channel));
        }
        FullHttpResponse response =
                ApiResponses.problem(401, "a valid token is needed: Authorization: Bearer, see sluice.sh token");
        response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
        return response;
    }

    /** The name of the user that the caller acts for, as the caller sends it; percent-encoded, so that any name can be in a header. */
    private static String onBehalfOf(HttpRequest request) {
        String header = request.headers().get(ON_BEHALF_OF, "");
        String name;
        try {
            name = URLDecoder.decode(header, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            name = header;
        }
        String shown = PrintableInput.text(name.strip());
        return shown.length() > LONGEST_NAME ? shown.substring(0, LONGEST_NAME) : shown;
    }

    /** The common name of the client's certificate, which was verified; empty if it has shown none. */
    private static Optional<String> commonName(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            return Optional.empty();
        }
        try {
            X500Principal subject = (X500Principal) tls.engine().getSession().getPeerPrincipal();
            return new LdapName(subject.getName())
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(Rdn::getValue)
                            .map(String::valueOf)
                            .findFirst();
        } catch (SSLPeerUnverifiedException | InvalidNameException e) {
            return Optional.empty();
        }
    }

    private static InetAddress inetAddress(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress inet
                ? inet.getAddress()
                : InetAddress.getLoopbackAddress(); // it is closed
    }

    private static String address(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress inet
                ? inet.getAddress().getHostAddress()
                : String.valueOf(channel.remoteAddress());
    }

    @Override
    public void close() {
        rejected.close();
        access.close();
    }
}
