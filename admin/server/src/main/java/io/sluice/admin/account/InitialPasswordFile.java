package io.sluice.admin.account;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The file that holds an initial password until it is changed. Only the user of the server can read it. */
@Component
class InitialPasswordFile {
    private static final Logger LOG = LoggerFactory.getLogger(InitialPasswordFile.class);

    private final Path file;

    InitialPasswordFile(AccountProperties properties) {
        this.file = Path.of(properties.initialPasswordFile()).toAbsolutePath().normalize();
    }

    Path path() {
        return file;
    }

    /** Writes user and password, over what was there. */
    void write(String user, String password) throws IOException {
        Path directory = file.getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Files.deleteIfExists(file); // so that it has the permissions of now, and no link is followed
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text(user, password), StandardCharsets.UTF_8);
    }

    /** Removes the file, if it is about this user, whose password was changed. */
    void changed(String user) {
        try {
            if (Files.isRegularFile(file) && Files.readString(file).startsWith("user: " + user + "\n")) {
                Files.delete(file);
            }
        } catch (IOException e) {
            LOG.warn(
                    "the initial password, which is void now, cannot be removed: file={} cause={}", file, e.toString());
        }
    }

    private static String text(String user, String password) {
        return "user: " + user + "\npassword: " + password + "\n";
    }
}
