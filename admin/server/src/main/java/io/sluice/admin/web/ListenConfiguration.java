package io.sluice.admin.web;

import io.sluice.admin.problem.StartProblem;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.catalina.valves.RemoteIpValve;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Rejects to listen where passwords would cross a network in plain text, and trusts only the proxies that are named. */
@Configuration(proxyBeanMethods = false)
class ListenConfiguration implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {
    private final ServerProperties server;
    private final WebProperties properties;

    ListenConfiguration(ServerProperties server, WebProperties properties) {
        this.server = server;
        this.properties = properties;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        InetAddress address = server.getAddress();
        boolean isLocal = address != null && address.isLoopbackAddress();
        boolean hasTls = server.getSsl() != null && server.getSsl().isEnabled();
        if (!isLocal && !hasTls && !properties.plainHttp()) {
            throw new StartProblem(
                    "server.address is "
                            + (address == null ? "empty, which means all addresses" : address.getHostAddress())
                            + ", and there is no TLS: passwords would cross the network in plain text.",
                    "Set server.ssl.certificate and server.ssl.certificate-private-key (docs/admin.md, TLS and proxies); or leave server.address at 127.0.0.1; or, if a proxy or a network in front protects the connections, set sluice.web.plain-http to true.");
        }
        String temporary = System.getProperty("java.io.tmpdir");
        if (!Files.isWritable(Path.of(temporary))) {
            throw new StartProblem(
                    "The directory for temporary files (java.io.tmpdir) cannot be written, or is missing: " + temporary,
                    "Create it, or set -Djava.io.tmpdir=<directory> in JAVA_OPTS.");
        }
        factory.addEngineValves(new UnreadBodyValve());
        if (!properties.trustedProxies().isEmpty()) {
            RemoteIpValve valve = new RemoteIpValve();
            valve.setRemoteIpHeader("X-Forwarded-For");
            valve.setProtocolHeader("X-Forwarded-Proto");
            valve.setInternalProxies(properties.trustedProxies().stream()
                    .map(ListenConfiguration::asConnected)
                    .map(Pattern::quote)
                    .collect(Collectors.joining("|")));
            factory.addEngineValves(valve);
        }
    }

    /** The address as Tomcat has that of a connection: one of IPv6 can be written in several ways. */
    private static String asConnected(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            return InetAddress.getByName(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new StartProblem(
                    "sluice.web.trusted-proxies has " + address + ", which is no address.",
                    "Name the addresses of the proxies, such as 10.0.0.5 or fd00::5, without ports.");
        }
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
