package io.sluice.admin.canal.polling;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What servers need to ask for their configuration.
 *
 * @param pollingUser their {@code canal.admin.user}
 * @param pollingPassword of which they have the hash in {@code canal.admin.passwd}: in clear, or that hash; null: nothing is answered
 * @param autoRegister whether a server that is not known here is added when it asks to be ({@code canal.admin.register.auto})
 */
@ConfigurationProperties("sluice.admin")
public record PollingProperties(
        @DefaultValue("admin") String pollingUser,
        @Nullable String pollingPassword,
        @DefaultValue("false") boolean autoRegister) {

    /** Leaves out the password. */
    @Override
    public String toString() {
        return "PollingProperties[pollingUser=" + pollingUser + ", autoRegister=" + autoRegister + "]";
    }
}
