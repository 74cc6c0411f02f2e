package io.sluice.admin.web;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this server is reached.
 *
 * @param plainHttp whether it may listen without TLS on other addresses than the loopback ones, since something in front protects the
 *     network
 * @param trustedProxies addresses of proxies whose {@code X-Forwarded-For} and {@code X-Forwarded-Proto} are believed
 */
@ConfigurationProperties("sluice.web")
record WebProperties(
        @DefaultValue("false") boolean plainHttp,
        @DefaultValue List<String> trustedProxies) {}
