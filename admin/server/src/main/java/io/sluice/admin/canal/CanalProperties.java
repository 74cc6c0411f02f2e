package io.sluice.admin.canal;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this server logs in at the management ports of canal servers.
 *
 * @param canalUser their {@code canal.admin.user}
 * @param canalPassword the password of which they have the hash in {@code canal.admin.passwd}, in clear: the protocol needs it; null: an empty one
 */
@ConfigurationProperties("sluice.admin")
public record CanalProperties(
        @DefaultValue("admin") String canalUser, @Nullable String canalPassword) {
    /** The password; empty if none is configured. */
    String password() {
        return canalPassword == null ? "" : canalPassword;
    }

    /** Leaves out the password. */
    @Override
    public String toString() {
        return "CanalProperties[canalUser=" + canalUser + "]";
    }
}
