package io.sluice.server.config.text;

import java.nio.file.Path;

/** Where a value was found. */
public sealed interface Origin {
    /** The file or the text that it is in; empty if it is in none. */
    default String document() {
        return "";
    }

    /** The line in it; 0 if that is not known. */
    default int lineNumber() {
        return 0;
    }

    /** A line of a file; 0 if it is about the file as a whole. */
    record FileLine(Path file, int line) implements Origin {
        @Override
        public String document() {
            return file.toString();
        }

        @Override
        public int lineNumber() {
            return line;
        }

        @Override
        public String toString() {
            return line == 0 ? file.toString() : file + ":" + line;
        }
    }

    /**
     * A line of a text that is not in a file of this machine; 0 if it is about the text as a whole.
     *
     * @param document what the text is, and whose, such as {@code canal.properties of http://127.0.0.1:8089}
     */
    record TextLine(String document, int line) implements Origin {
        @Override
        public int lineNumber() {
            return line;
        }

        @Override
        public String toString() {
            return line == 0 ? document : document + ", line " + line;
        }
    }

    record SystemProperty() implements Origin {
        @Override
        public String toString() {
            return "system property";
        }
    }

    record EnvironmentVariable() implements Origin {
        @Override
        public String toString() {
            return "environment variable";
        }
    }

    /** Set by the server itself. */
    record BuiltIn() implements Origin {
        @Override
        public String toString() {
            return "built in";
        }
    }
}
