package io.sluice.server.config.origin;

import io.sluice.server.config.key.ClusterKeys;
import io.sluice.server.config.remote.RemoteTexts;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Warning;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The texts of an admin server, and the local file on top of its {@code canal.properties}.
 *
 * @param local has the local file
 * @param address of the admin server
 */
public record ManagedTexts(FileTexts local, String address, RemoteTexts texts) implements ConfigTexts {
    @Override
    public boolean isManaged() {
        return true;
    }

    @Override
    public boolean areHere() {
        return true;
    }

    @Override
    public PropertiesFile server(Set<Problem> problems, Set<Warning> warnings) {
        PropertiesFile own = local.server(problems, warnings);
        PropertiesFile remote =
                PropertiesFile.parse("canal.properties of " + address, texts.server(), problems, warnings);
        Set<String> hidden = remote.hiddenBy(own);
        hidden.removeIf(ManagedTexts::isOfThisMachine);
        if (!hidden.isEmpty()) {
            warnings.add(new Warning.General("%s sets keys that %s sets to other values, and wins, as with canal: %s"
                    .formatted(own.origin(), remote.origin(), String.join(", ", hidden))));
        }
        return remote.under(own);
    }

    /** What the local file is for. */
    private static boolean isOfThisMachine(String key) {
        return key.startsWith("canal.admin.") || key.equals(ClusterKeys.REGISTERED_ADDRESS.name());
    }

    @Override
    public List<String> found(Path confDirectory, Set<Problem> problems) {
        return List.copyOf(texts.instances().keySet());
    }

    @Override
    public PropertiesFile instance(
            Path confDirectory, String destination, Set<Problem> problems, Set<Warning> warnings) {
        String document = "instance.properties of %s at %s".formatted(destination, address);
        String failure = texts.failures().get(destination);
        if (failure != null) {
            problems.add(new Problem(new Origin.TextLine(document, 0), "", "", failure));
        }
        PropertiesFile own =
                PropertiesFile.parse(document, texts.instances().getOrDefault(destination, ""), problems, warnings);
        Path file = FileTexts.instanceFile(confDirectory, destination);
        if (Files.exists(file)) {
            warnings.add(new Warning.General(file + " is not read: the configuration of instances is at " + address));
        }
        return own;
    }
}
