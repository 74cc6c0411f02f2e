package io.sluice.server.config.password;

import io.sluice.server.config.key.SourceKeys;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Settings;

/** Reads the password of an instance's account, and decrypts it if it is encrypted. */
public final class PasswordReader {
    private static final String REMEDY = "; or set %s = false and give the password itself, by ${file:…} or ${env:…}"
            .formatted(SourceKeys.ENCRYPTED_PASSWORD.name());

    private final Settings settings;
    private final Origin file;

    /**
     * Prepares to read it.
     *
     * @param file the instance's file, where a key is missing
     */
    public PasswordReader(Settings settings, Origin file) {
        this.settings = settings;
        this.file = file;
    }

    /** Reads it; empty if it cannot be decrypted, which is reported. */
    public String read() {
        if (!settings.get(SourceKeys.ENCRYPTED_PASSWORD)) {
            // canal takes the default for a blank one, too, but an account may have no password.
            return settings.isSetBlank(SourceKeys.PASSWORD)
                    ? ""
                    : settings.get(SourceKeys.PASSWORD).value();
        }
        boolean hasAll = true;
        if (settings.isBlank(SourceKeys.PASSWORD_KEY)) {
            settings.complain(
                    file,
                    SourceKeys.PASSWORD_KEY,
                    "is required by %s: the base64 text of the RSA public key that decrypts %s%s"
                            .formatted(SourceKeys.ENCRYPTED_PASSWORD.name(), SourceKeys.PASSWORD.name(), REMEDY));
            hasAll = false;
        }
        if (settings.isBlank(SourceKeys.PASSWORD)) {
            settings.complain(
                    file,
                    SourceKeys.PASSWORD,
                    "is required by %s: the base64 text of the encrypted password%s"
                            .formatted(SourceKeys.ENCRYPTED_PASSWORD.name(), REMEDY));
            hasAll = false;
        }
        return hasAll ? decrypted() : "";
    }

    private String decrypted() {
        PasswordKey key;
        try {
            key = PasswordKey.parse(settings.get(SourceKeys.PASSWORD_KEY).value());
        } catch (IllegalArgumentException e) {
            settings.reject(
                    SourceKeys.PASSWORD_KEY,
                    "%s: it must be the base64 text that Druid's ConfigTools writes as publicKey%s"
                            .formatted(e.getMessage(), REMEDY));
            return "";
        }
        try {
            return key.decrypt(settings.get(SourceKeys.PASSWORD).value());
        } catch (IllegalArgumentException e) {
            settings.reject(
                    SourceKeys.PASSWORD,
                    "%s: as %s is true, it must be the base64 text that Druid's ConfigTools writes as password, with the %s of the same"
                                    .formatted(
                                            e.getMessage(),
                                            SourceKeys.ENCRYPTED_PASSWORD.name(),
                                            SourceKeys.PASSWORD_KEY.name())
                            + " run" + REMEDY);
            return "";
        }
    }
}
