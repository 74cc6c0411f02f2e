package io.sluice.server.config.read;

import io.sluice.connector.api.producer.Spelling;
import io.sluice.protocol.pattern.MatchBudget;
import io.sluice.server.config.key.IdleKeys;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.key.PerDestinationKey;
import io.sluice.server.config.key.ProducerKeys;
import io.sluice.server.config.key.ProducerSettings;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Key.Scope;
import io.sluice.server.config.text.Key.Support;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.PlaceholderNames;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Setting;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.ValueType;
import io.sluice.server.config.text.Warning;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Checks every key that is set, whether or not something reads it: is it known, is its value right, does it work? */
final class KeyCheck {
    /** So near to a key of all instances, such as {@code canal.instance.memory.batch.mode}, a name is that key with a slip. */
    private static final int SLIP = 2;

    /** The unknown names for which a known one is proposed: each is compared with all. */
    private static final int MAX_HINTS = 100;

    /** What comparing two names costs. */
    private static final int LOOKS_PER_COMPARISON = 300;

    private final Set<String> destinations;
    private final boolean knowsDestinations;
    private final Set<Problem> problems;
    private final Set<Warning> warnings;
    private final Set<String> withoutEffect = new TreeSet<>();
    private final Set<String> placeholders = new TreeSet<>();
    private int hintsLeft = MAX_HINTS;

    /**
     * Creates one.
     *
     * @param destinations the instances that there are, and those that are known to be without a file
     * @param knowsDestinations whether these are all; else a key of another one is no reason for a warning
     */
    KeyCheck(Set<String> destinations, boolean knowsDestinations, Set<Problem> problems, Set<Warning> warnings) {
        this.destinations = destinations;
        this.knowsDestinations = knowsDestinations;
        this.problems = problems;
        this.warnings = warnings;
    }

    /** Checks the values of all keys of a scope, but for those that need not count: {@link PerDestinationKey}. */
    void checkValues(Scope scope, Settings settings) {
        for (Key<?> key : Keys.all()) {
            if (key.scope() == scope && !PerDestinationKey.isOfAll(key.name())) {
                checkValue(key, settings);
            }
        }
    }

    private void checkValue(Key<?> key, Settings settings) {
        Setting setting = settings.raw(key.name());
        if (setting == null || key.isQuiet(setting)) {
            return;
        }
        if (settings.find(key).isEmpty()) {
            return;
        }
        if (key.support() == Support.LATER) {
            withoutEffect.add(key.name());
        } else if (key.support() == Support.REFUSED) {
            settings.reject(key, key.reason());
        }
    }

    /** Checks the names in some files and in the environment. */
    void checkNames(PropertiesFile serverFile, List<PropertiesFile> instanceFiles, Environment environment) {
        gatherPlaceholders(serverFile);
        instanceFiles.forEach(this::gatherPlaceholders);
        serverFile.settings().forEach((name, setting) -> checkName(name, setting.origin()));
        for (PropertiesFile file : instanceFiles) {
            file.settings().forEach((name, setting) -> checkInstanceName(name, setting));
        }
        checkCanalNames(environment.systemProperties().keySet(), new Origin.SystemProperty());
        checkCanalNames(environment.variables().keySet(), new Origin.EnvironmentVariable());
    }

    /** Warns of what is set outside of the file, begins like the keys of the connector, and was not taken, since it has no such key. */
    void warnOfForeign(ServerMode mode, PropertiesFile file, Environment environment, ProducerSettings taken) {
        String prefix = ProducerKeys.of(mode).prefix();
        if (prefix.isEmpty()) {
            return;
        }
        warnOfForeign(prefix, environment.systemProperties(), new Origin.SystemProperty(), file, taken);
        warnOfForeign(prefix, environment.variables(), new Origin.EnvironmentVariable(), file, taken);
    }

    private void warnOfForeign(
            String prefix, Map<String, String> layer, Origin origin, PropertiesFile file, ProducerSettings taken) {
        layer.forEach((name, value) -> {
            if (name.startsWith(prefix)
                    && !value.isBlank()
                    && taken.find(name) == null
                    && !file.settings().containsKey(name)) {
                warnings.add(new Warning.At(
                        origin, name + " is no key of the connector, so only the client of the broker may read it"));
            }
        });
    }

    /** By that option of the JVM canal acknowledges transactions to a source with semi-synchronous replication. */
    void warnOfSemiSync(Environment environment) {
        if ("1".equals(environment.systemProperties().get("db.semi"))) {
            warnings.add(
                    new Warning.At(
                            new Origin.SystemProperty(),
                            "db.semi = 1 has no effect: this server does not acknowledge transactions to a source with semi-synchronous replication, which has to have another replica that does"));
        }
    }

    /** Warns in one line of the keys without effect. */
    void warnOfKeysWithoutEffect() {
        if (!withoutEffect.isEmpty()) {
            warnings.add(new Warning.General(
                    "these keys are set, but have no effect in this version: " + String.join(", ", withoutEffect)));
        }
    }

    private void gatherPlaceholders(PropertiesFile file) {
        for (Setting setting : file.settings().values()) {
            placeholders.addAll(PlaceholderNames.of(setting.raw()));
        }
    }

    private void checkInstanceName(String name, Setting setting) {
        Key<?> key = Keys.find(name);
        boolean ofServer = key != null ? key.scope() == Scope.SERVER : ProducerKeys.isOfAConnector(name);
        if (!ofServer) {
            checkName(name, setting.origin());
        } else if (key == null || key.support() != Support.INERT) {
            warnings.add(new Warning.At(
                    setting.origin(), name + " has no effect in an instance's file, only in canal.properties"));
        }
    }

    /** In the environment only canal's own names are checked. */
    private void checkCanalNames(Set<String> names, Origin origin) {
        for (String name : names) {
            if (name.startsWith("canal.")) {
                checkName(name, origin);
            }
        }
    }

    private void checkName(String name, Origin origin) {
        String destination = Keys.destinationIn(name).orElse("");
        if (Keys.find(name) != null
                || ProducerKeys.isOfAConnector(name)
                || IdleKeys.isFormer(name)
                || placeholders.contains(name)
                || destination.equals("global")
                || destinations.contains(destination)) {
            return;
        }
        Optional<String> meant = hintsLeft-- > 0 ? nearest(name) : Optional.empty();
        String hint = meant.map(nearest -> "; did you mean " + nearest + "?").orElse("");
        if (ValueType.isDestination(destination) && !isSlip(name)) {
            warnOfAbsent(name, destination, origin, meant, hint);
        } else {
            // Without the value, which may be a secret.
            problems.add(new Problem(origin, name, "", "there is no such key" + hint));
        }
    }

    private Optional<String> nearest(String name) {
        Set<String> names = new TreeSet<>();
        Keys.all().forEach(key -> names.add(key.name()));
        for (PerDestinationKey<?> key : Keys.perDestination()) {
            destinations.forEach(other -> names.add(key.nameOf(other)));
        }
        MatchBudget.spend(LOOKS_PER_COMPARISON * (double) names.size());
        return Spelling.nearest(name, names);
    }

    /** An instance that was removed must not keep the others from being taken over, so its keys are accepted. */
    private void warnOfAbsent(String name, String destination, Origin origin, Optional<String> meant, String hint) {
        boolean meansAll = meant.filter(PerDestinationKey::isOfAll).isPresent();
        if (knowsDestinations || meansAll) {
            warnings.add(new Warning.At(
                    origin, "%s has no effect, since there is no instance %s%s".formatted(name, destination, hint)));
        }
    }

    private static boolean isSlip(String name) {
        return Keys.all().stream()
                .map(Key::name)
                .anyMatch(key -> !PerDestinationKey.isOfAll(key) && Spelling.distance(name, key) <= SLIP);
    }
}
