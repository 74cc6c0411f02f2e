package io.sluice.admin.fleet.server;

import io.sluice.admin.database.DatabaseProperties;
import io.sluice.protocol.file.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Encrypts tokens by AES-GCM, with a key that is in a file next to the database and is created at the first start. A sealed token is bound to
 * its server: moved to the row of another one it does not open. Thread-safe.
 */
@Component
public class TokenVault {
    private static final Logger LOG = LoggerFactory.getLogger(TokenVault.class);
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");
    private static final String FORM = "v1:";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecureRandom random = new SecureRandom();
    private final Path file;
    private final SecretKeySpec key;

    TokenVault(DatabaseProperties database) throws IOException {
        Path databaseFile = Path.of(database.file()).toAbsolutePath().normalize();
        this.file = databaseFile.resolveSibling("admin.key");
        this.key = new SecretKeySpec(Files.exists(file) ? read() : create(), "AES");
    }

    private byte[] create() throws IOException {
        byte[] fresh = new byte[KEY_BYTES];
        random.nextBytes(fresh);
        Path directory = file.getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        DurableFiles.replaceForOwner(
                file, StandardCharsets.US_ASCII.encode(Base64.getEncoder().encodeToString(fresh) + "\n"));
        LOG.info("a key for the tokens of servers was created, back it up with the database: file={}", file);
        return fresh;
    }

    private byte[] read() throws IOException {
        if (Files.getFileStore(file).supportsFileAttributeView("posix")
                && !OWNER.containsAll(Files.getPosixFilePermissions(file))) {
            LOG.warn("others could read the key for the tokens of servers; its mode is now 0600: file={}", file);
            Files.setPosixFilePermissions(file, OWNER);
        }
        try {
            byte[] read = Base64.getDecoder().decode(Files.readString(file).strip());
            if (read.length == KEY_BYTES) {
                return read;
            }
        } catch (IllegalArgumentException e) {
            LOG.debug("the key is no base64", e);
        }
        throw new IOException(
                "The file %s is no key. Restore it from the backup; or delete it, and enter the tokens of all servers again."
                        .formatted(file));
    }

    /**
     * Encrypts a token.
     *
     * @param serverId the server that it is bound to
     */
    public String seal(long serverId, String token) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, serverId, nonce).doFinal(token.getBytes(StandardCharsets.UTF_8));
            byte[] all = ByteBuffer.allocate(nonce.length + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
            return FORM + Base64.getEncoder().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has AES-GCM", e);
        }
    }

    /** Decrypts a token; null if it was not sealed by this key for this server. */
    public @Nullable String open(long serverId, String sealed) {
        try {
            if (sealed.startsWith(FORM)) {
                byte[] all = Base64.getDecoder().decode(sealed.substring(FORM.length()));
                byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
                byte[] token = cipher(Cipher.DECRYPT_MODE, serverId, nonce)
                        .doFinal(all, NONCE_BYTES, Math.max(0, all.length - NONCE_BYTES));
                return new String(token, StandardCharsets.UTF_8);
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            LOG.debug("a token cannot be decrypted: server={}", serverId, e);
        }
        return null;
    }

    private Cipher cipher(int mode, long serverId, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(("server " + serverId).getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }
}
