package io.sluice.connector.kafka.settings;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of Kerberos, which canal names by keys of its own, and not by options of Kafka's client.
 *
 * @param krb5 the configuration of Kerberos; null without Kerberos
 * @param login the JAAS file with the login; null if an option has it, or there is none
 */
record KerberosFiles(@Nullable Path krb5, @Nullable Path login) {
    static final String PREFIX = "kerberos.";
    static final String ENABLE = "kerberos.enable";
    static final String JAAS_FILE = "kerberos.jaas.file";
    private static final String KRB5_FILE = "kerberos.krb5.file";

    /** Takes these keys out of the options, and puts in what Kafka's client has instead. */
    static KerberosFiles take(ClientOptions options) {
        if (options.has(ENABLE) && !options.isFlag(ENABLE)) {
            options.problem(ENABLE, "must be true or false"); // Kafka has no such option, so it does not check it
        }
        boolean enabled = options.flag(ENABLE, false);
        Path krb5 = enabled ? existingFile(options, KRB5_FILE) : null;
        Path jaas = enabled ? existingFile(options, JAAS_FILE) : null;
        options.removeAll(PREFIX);
        if (krb5 == null || jaas == null) {
            return new KerberosFiles(null, null);
        }
        options.putIfAbsent(ClientOptions.SECURITY_PROTOCOL, "SASL_PLAINTEXT");
        options.putIfAbsent("sasl.kerberos.service.name", "kafka");
        options.putIfAbsent("sasl.mechanism", "GSSAPI");
        return new KerberosFiles(krb5, takesLogin(options, jaas) ? jaas : null);
    }

    /** Returns whether the login is that of the file. */
    private static boolean takesLogin(ClientOptions options, Path jaas) {
        if (options.has(ClientOptions.SASL_LOGIN)) {
            options.correction(ClientOptions.SASL_LOGIN, "is taken, and not the login in " + options.keyOf(JAAS_FILE));
            return false;
        }
        try {
            options.put(ClientOptions.SASL_LOGIN, JaasFile.clientLogin(jaas));
            options.madeOf(ClientOptions.SASL_LOGIN, JAAS_FILE);
            return true;
        } catch (IllegalArgumentException e) {
            options.problem(JAAS_FILE, String.valueOf(e.getMessage()));
            return false;
        }
    }

    private static @Nullable Path existingFile(ClientOptions options, String option) {
        String name = options.get(option);
        try {
            Path file = Path.of(name).toAbsolutePath();
            if (!name.isEmpty() && Files.isRegularFile(file) && Files.isReadable(file)) {
                return file;
            }
            options.problem(
                    option, "needed for Kerberos, but there is no readable file " + (name.isEmpty() ? "given" : file));
        } catch (InvalidPathException e) {
            options.problem(option, "needed for Kerberos, but is not a path: " + e.getMessage());
        }
        return null;
    }
}
