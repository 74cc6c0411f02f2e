package io.sluice.connector.kafka.settings;

import java.io.IOException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.security.URIParameter;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * A JAAS login configuration file, with which canal configures Kerberos.
 *
 * <p>It is read here and handed on as text, since the JVM reads only one such file, and that may be the one of ZooKeeper's client.
 */
final class JaasFile {
    private static final String SECTION = "KafkaClient";

    /** Where a syntax error is, in the JVM's message of it. */
    private static final Pattern LINE = Pattern.compile("Line (\\d+):");

    private JaasFile() {}

    /**
     * The login of {@code KafkaClient}, as Kafka's option {@code sasl.jaas.config} has it.
     *
     * @throws IllegalArgumentException if the file cannot be read as such, or has no such login
     */
    static String clientLogin(Path file) {
        @Nullable AppConfigurationEntry[] logins = read(file).getAppConfigurationEntry(SECTION);
        if (logins == null || logins.length != 1 || logins[0] == null) {
            throw new IllegalArgumentException("%s has %s section %s, and needs one with one login module"
                    .formatted(file, logins == null ? "no" : "a wrong", SECTION));
        }
        return textOf(logins[0]);
    }

    private static Configuration read(Path file) {
        try {
            return Configuration.getInstance("JavaLoginConfig", new URIParameter(file.toUri()));
        } catch (NoSuchAlgorithmException e) { // so it is wrapped, whatever is wrong with the file
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw new IllegalArgumentException("%s cannot be read: %s".formatted(file, reasonOf(cause)), e);
        }
    }

    /** The JVM's own message of a syntax error would quote what it found, which may be a part of a password. */
    private static String reasonOf(Throwable cause) {
        if (!cause.getClass().equals(IOException.class)) {
            return String.valueOf(cause.getMessage());
        }
        Matcher line = LINE.matcher(String.valueOf(cause.getMessage()));
        return "a syntax error%s; a login is <module> <flag> name=\"value\" …;"
                .formatted(line.find() ? " in line " + line.group(1) : "");
    }

    private static String textOf(AppConfigurationEntry login) {
        StringJoiner text = new StringJoiner(" ", "", ";");
        text.add(login.getLoginModuleName()).add(word(login.getControlFlag()));
        login.getOptions().forEach((name, value) -> text.add(name + "=" + quoted(String.valueOf(value))));
        return text.toString();
    }

    private static String word(LoginModuleControlFlag flag) {
        if (flag == LoginModuleControlFlag.REQUISITE) {
            return "requisite";
        }
        if (flag == LoginModuleControlFlag.SUFFICIENT) {
            return "sufficient";
        }
        return flag == LoginModuleControlFlag.OPTIONAL ? "optional" : "required";
    }

    private static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
