package io.sluice.store.cursor.file;

import io.sluice.protocol.position.CursorFormatException;
import io.sluice.store.cursor.ClientsJson;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.ForeignCursorsException;
import io.sluice.store.text.AtomicFile;
import io.sluice.store.text.DurableText;
import java.io.File;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Where the file of a destination's cursors is, and how it is read. */
final class CursorFile {
    static final String NAME = "meta.dat";

    private CursorFile() {}

    /** The file of a destination below {@code dir}. */
    static Path path(Path dir, String destination) {
        if (destination.isEmpty()
                || destination.contains("/")
                || destination.contains(File.separator)
                || destination.equals(".")
                || destination.equals("..")) {
            throw new IllegalArgumentException("a destination's name must be a directory's name: " + destination);
        }
        return dir.resolve(destination).resolve(NAME);
    }

    /**
     * Reads a file; one that is not there has no clients.
     *
     * @throws CursorException if it is there but is not this destination's cursor file, or cannot be read
     */
    static ClientsJson read(Path path, String destination) {
        return read(new AtomicFile(path), destination);
    }

    /** Reads a text in the format of the file, as {@link #read(Path, String)}. */
    static ClientsJson read(DurableText text, String destination) {
        try {
            return ClientsJson.parse(text.read(), destination);
        } catch (NoSuchFileException e) {
            return ClientsJson.empty(destination);
        } catch (CharacterCodingException e) {
            throw damaged(text, destination, new IllegalArgumentException("it is not UTF-8 text", e));
        } catch (IOException e) {
            throw new CursorException(
                    "cursor file %s cannot be read: %s: check its permissions and its disk"
                            .formatted(text.location(), e),
                    e);
        } catch (IllegalArgumentException e) {
            throw damaged(text, destination, e);
        }
    }

    /** The failure to use a file for what it has. */
    static CursorException damaged(DurableText text, String destination, IllegalArgumentException what) {
        String commands = what instanceof ForeignCursorsException foreign ? foreign.commands(destination) : "";
        if (!commands.isEmpty()) {
            return CursorException.ofDamage(
                    ("cursor file %1$s cannot be used: %2$s; if the instance was renamed, continue at the position of the file: %3$s; if the instance was not"
                                    + " renamed, restore the file of this instance from a copy, or set where to continue: bin/sluice.sh cursor set %4$s --time TIME, or --to"
                                    + " FILE:OFFSET")
                            .formatted(text.location(), what.getMessage(), commands, destination),
                    what);
        }
        return CursorException.ofDamage(
                ("cursor file %1$s cannot be used: %2$s; or set where to continue: bin/sluice.sh cursor set %3$s --time TIME, or --to"
                                + " FILE:OFFSET; or, if it is there, take %1$s.previous, which is from before the last change by an operator:"
                                + " bin/sluice.sh cursor restore %3$s")
                        .formatted(text.location(), remedied(what), destination),
                what);
    }

    /** What is wrong, and what to do first. */
    private static String remedied(IllegalArgumentException what) {
        return what instanceof CursorFormatException known && known.hasRemedy()
                ? String.valueOf(known.getMessage())
                : what.getMessage() + ": restore it from a copy";
    }
}
