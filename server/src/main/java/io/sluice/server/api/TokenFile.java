package io.sluice.server.api;

import io.sluice.protocol.file.DurableFiles;
import io.sluice.server.config.port.ControlRole;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The file with the tokens of the control API: a line each of its name, its role and the SHA-256 of the token, separated by blanks. Lines
 * that are empty or begin with {@code #} are comments.
 *
 * <p>Tokens are made here, of 256 random bits, so that a digest without salt protects them: there is no dictionary to look them up in.
 */
public final class TokenFile {
    /** How each token begins, so that scanners for secrets find one that leaked. */
    static final String PREFIX = "sluice_";

    private static final int TOKEN_BYTES = 32;
    private static final int DIGEST_CHARS = 64;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

    /**
     * A token, as it is kept.
     *
     * @param name unique in its file
     * @param digest the SHA-256 of the token, hexadecimal
     */
    public record Item(String name, ControlRole role, String digest) {}

    /** A file was read, but is no file of tokens: that lasts until it is changed. */
    static final class WrongContentException extends IOException {
        private static final long serialVersionUID = 1L;

        WrongContentException(String message) {
            super(message);
        }
    }

    private TokenFile() {}

    /**
     * Reads a file.
     *
     * @return no token if there is no file
     * @throws IOException if it cannot be read, or a line is wrong; the message states which, without its content
     */
    public static List<Item> read(Path file) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (CharacterCodingException e) {
            throw new WrongContentException(file + " is not UTF-8 text");
        }
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                Item item = parse(line, file + ":" + (i + 1));
                if (items.stream().anyMatch(other -> other.name().equals(item.name()))) {
                    throw new WrongContentException(
                            "%s:%d: there are two tokens of the name %s".formatted(file, i + 1, item.name()));
                }
                items.add(item);
            }
        }
        return items;
    }

    private static Item parse(String line, String where) throws IOException {
        String[] parts = line.split("\\s+");
        if (parts.length != 3
                || !NAME.matcher(parts[0]).matches()
                || ControlRole.find(parts[1]).isEmpty()
                || parts[2].length() != DIGEST_CHARS
                || !parts[2].matches("[0-9a-f]+")) {
            throw new WrongContentException(
                    where
                            + ": a line has a name, a role (viewer, operator, administrator) and a SHA-256; sluice.sh token writes it");
        }
        return new Item(parts[0], ControlRole.find(parts[1]).orElseThrow(), parts[2]);
    }

    /**
     * Adds a token to a file, which is made if there is none, and which only its owner can read.
     *
     * @return the token, which is kept nowhere
     * @throws IOException if the file cannot be read or written
     * @throws IllegalArgumentException if the name is taken, or is none
     */
    public static String add(Path file, String name, ControlRole role) throws IOException {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a name has letters, digits, '.', '_', '@' and '-', 64 at most: " + name);
        }
        List<Item> items = new ArrayList<>(read(file));
        if (items.stream().anyMatch(item -> item.name().equals(name))) {
            throw new IllegalArgumentException("there is a token of the name " + name + " already: remove it first");
        }
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        String token = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        items.add(new Item(name, role, digest(token)));
        write(file, items);
        return token;
    }

    /**
     * Removes a token from a file; a server that runs rejects it a few seconds later.
     *
     * @return false if there was none of the name
     * @throws IOException if the file cannot be read or written
     */
    public static boolean remove(Path file, String name) throws IOException {
        List<Item> items = new ArrayList<>(read(file));
        if (!items.removeIf(item -> item.name().equals(name))) {
            return false;
        }
        write(file, items);
        return true;
    }

    private static void write(Path file, List<Item> items) throws IOException {
        StringBuilder text =
                new StringBuilder("# Tokens of the control API: name, role, SHA-256. Written by sluice.sh token.\n");
        for (Item item : items) {
            text.append(item.name())
                    .append(' ')
                    .append(item.role().spelling())
                    .append(' ')
                    .append(item.digest())
                    .append('\n');
        }
        replace(file, text.toString());
    }

    /**
     * Writes a token into a file of its own, which only its owner can read.
     *
     * @throws IOException if it cannot be written
     */
    public static void save(Path file, String token) throws IOException {
        replace(file, token + "\n");
    }

    private static void replace(Path file, String text) throws IOException {
        DurableFiles.replaceForOwner(file, StandardCharsets.UTF_8.encode(text));
    }

    /** The digest by which a token is kept. */
    static String digest(String token) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
