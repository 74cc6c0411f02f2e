package io.sluice.server.config.text;

import java.nio.file.Path;

/** Where a value was found. */
public sealed interface Origin {
    /** A line of a file; 0 if it is about the file as a whole. */
    record FileLine(Path file, int line) implements Origin {
        @Override
        public String toString() {
            return line == 0 ? file.toString() : file + ":" + line;
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
