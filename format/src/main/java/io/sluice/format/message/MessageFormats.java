package io.sluice.format.message;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The formats of this installation. */
public final class MessageFormats {
    private static final List<MessageFormat> ALL =
            ServiceLoader.load(MessageFormat.class, MessageFormats.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private MessageFormats() {}

    /** The names of all formats, sorted. */
    public static List<String> names() {
        return ALL.stream().map(MessageFormat::name).sorted().toList();
    }

    /** The format of a name; empty if there is none. */
    public static Optional<MessageFormat> find(String name) {
        return ALL.stream().filter(format -> format.name().equals(name)).findFirst();
    }
}
