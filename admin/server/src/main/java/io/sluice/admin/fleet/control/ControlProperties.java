package io.sluice.admin.fleet.control;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How control APIs are called.
 *
 * @param allowPlainControl whether tokens may be sent without TLS to other machines
 * @param trustStore a key store (PKCS12 or JKS) or PEM file with the authorities whose certificates servers may show; null: those of the
 *     JVM
 * @param trustStorePassword of the key store; null: none
 */
@ConfigurationProperties("sluice.admin")
public record ControlProperties(
        @DefaultValue("false") boolean allowPlainControl,
        @Nullable String trustStore,
        @Nullable String trustStorePassword) {

    /** Leaves out the password. */
    @Override
    public String toString() {
        return "ControlProperties[allowPlainControl=" + allowPlainControl + ", trustStore=" + trustStore + "]";
    }
}
