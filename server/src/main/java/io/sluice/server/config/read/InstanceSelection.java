package io.sluice.server.config.read;

import io.sluice.server.config.key.Keys;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.text.PropertiesFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Chooses the instances of a server's text that are read, where not all are. */
final class InstanceSelection {
    private InstanceSelection() {}

    /**
     * The instances to read: all, or as many as {@link ConfigTexts#mostInstances} allows. Those that the server's text has keys of are before
     * the others, which inherit the same.
     *
     * @param destinations all that there are
     * @param server the server's text
     */
    static List<String> of(List<String> destinations, ConfigTexts texts, PropertiesFile server) {
        int most = texts.mostInstances();
        if (destinations.size() <= most) {
            return destinations;
        }
        Set<String> named = server.settings().keySet().stream()
                .map(Keys::destinationIn)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        return Stream.concat(
                        destinations.stream().filter(named::contains),
                        destinations.stream().filter(name -> !named.contains(name)))
                .limit(most)
                .toList();
    }
}
