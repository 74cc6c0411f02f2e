package io.sluice.server.config.read;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.key.BrokerKeys;
import io.sluice.server.config.key.FailureKeys;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.key.PerDestinationKey;
import io.sluice.server.config.key.ProducerKeys;
import io.sluice.server.config.key.ProducerSettings;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.origin.FileTexts;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Key.Scope;
import io.sluice.server.config.text.Key.Support;
import io.sluice.server.config.text.Lookup;
import io.sluice.server.config.text.Masking;
import io.sluice.server.config.text.OutsideValues;
import io.sluice.server.config.text.Placeholders;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.ServerLookup;
import io.sluice.server.config.text.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The value that counts for each key of a configuration, and where it was found: the layers, the placeholders and the old names of
 * keys are resolved. Holds no secret. Never changes.
 *
 * @param server the keys of the server, then those of its connector
 * @param instances the keys of each instance, in the order in which the instances start
 */
public record EffectiveConfiguration(List<Value> server, List<Instance> instances) {
    public EffectiveConfiguration {
        server = List.copyOf(server);
        instances = List.copyOf(instances);
    }

    /**
     * The keys of one instance.
     *
     * @param destination its name
     */
    public record Instance(String destination, List<Value> values) {
        public Instance {
            values = List.copyOf(values);
        }
    }

    /**
     * The value of one key.
     *
     * @param key its name
     * @param text the value with its placeholders filled in, masked if it is a secret; empty if nothing is set and there is no default
     * @param written the value as it is written; empty if that is the same, or could show a secret
     * @param origin file and line, {@code system property}, {@code environment variable}, or {@code default}
     * @param isDefault whether the key is not set, or blank
     * @param note what else to know, such as that the key has no effect; empty if nothing
     */
    public record Value(String key, String text, String written, String origin, boolean isDefault, String note) {}

    /**
     * Reads the files of a configuration again, for what {@link TextsReader} does not keep.
     *
     * @param configuration was read from the same files
     * @param baseDirectory what relative paths start from
     * @throws ConfigException if a file is not as it was, and cannot be read any more
     */
    public static EffectiveConfiguration read(Configuration configuration, Path baseDirectory, Environment environment)
            throws ConfigException {
        return read(
                configuration,
                new FileTexts(configuration.server().file()),
                environment,
                new OutsideValues(environment, baseDirectory));
    }

    /**
     * Reads some texts again.
     *
     * @param outside reads what placeholders name outside of the texts
     * @throws ConfigException if a text is not as it was, and cannot be read any more
     */
    public static EffectiveConfiguration read(
            Configuration configuration, ConfigTexts texts, Environment environment, OutsideValues outside)
            throws ConfigException {
        ServerConfig server = configuration.server();
        Set<Problem> unreadable = new LinkedHashSet<>();
        PropertiesFile file = texts.server(unreadable, new LinkedHashSet<>());
        Set<Problem> problems = new LinkedHashSet<>();
        ServerLookup lookup = new ServerLookup(
                environment, file, new Placeholders(outside, problems), ProducerKeys::leavesPlaceholderToKafka);
        Map<String, ProducerSettings.Found> producer = ProducerKeys.of(server.mode())
                .find(
                        lookup,
                        file,
                        environment,
                        key -> server.producerProperties().containsKey(key) || isUnusable(lookup.find(key)));
        List<Value> values = new ArrayList<>();
        for (Key<?> key : Keys.all()) {
            if (key.scope() == Scope.SERVER && !producer.containsKey(key.name()) && isOfTheServer(key.name())) {
                values.add(value(key, lookup));
            }
        }
        producer.forEach((key, found) -> values.add(new Value(
                key,
                shown(key, found.setting(), lookup),
                written(key, found.setting(), lookup),
                found.setting().origin().toString(),
                false,
                found.as().equals(key) ? "" : "set as " + found.as())));
        List<Instance> instances = new ArrayList<>();
        for (String destination : InstanceSelection.of(server.destinations(), texts, file)) {
            PropertiesFile own = texts.instance(server.confDirectory(), destination, unreadable, new LinkedHashSet<>());
            instances.add(new Instance(
                    destination,
                    instance(
                            destination,
                            lookup,
                            AllInstancesReader.lookup(
                                    environment, texts, file, own, destination, new Placeholders(outside, problems)),
                            texts.isManaged())));
        }
        problems.addAll(unreadable);
        if (!problems.isEmpty()) {
            throw new ConfigException(List.copyOf(problems));
        }
        return new EffectiveConfiguration(values, instances);
    }

    /** Keys of connectors are those of one only, and are found by its rules. */
    private static boolean isOfTheServer(String key) {
        return !ProducerKeys.isOfAConnector(key)
                && BrokerKeys.FORMER_NAMES.keys().stream()
                        .noneMatch(former -> former.name().equals(key));
    }

    private static List<Value> instance(String destination, Lookup server, Lookup own, boolean isManaged) {
        List<Value> values = new ArrayList<>();
        for (PerDestinationKey<?> key : Keys.perDestination()) {
            if (key.ofAll().support() == Support.NOW) {
                values.add(value(key.countingFor(destination, server), server));
            }
        }
        for (Key<?> key : Keys.all()) {
            if (key.scope() == Scope.INSTANCE) {
                values.add(value(key, own, standard(key, isManaged)));
            }
        }
        return values;
    }

    private static String standard(Key<?> key, boolean isManaged) {
        return key.equals(FailureKeys.RESTART)
                ? InstanceReader.restart(isManaged).spelling()
                : key.standard();
    }

    private static Value value(Key<?> key, Lookup lookup) {
        return value(key, lookup, key.standard());
    }

    private static Value value(Key<?> key, Lookup lookup, String standard) {
        Setting setting = lookup.find(key.name());
        if (setting != null && setting.isUnusable()) {
            // Without a problem, which ends the reading: the value is that of another machine.
            return new Value(
                    key.name(),
                    "",
                    written(key.name(), setting, lookup),
                    setting.origin().toString(),
                    false,
                    effect(key));
        }
        if (setting == null || setting.isBlank()) {
            String note = setting == null ? "" : "blank at " + setting.origin();
            return new Value(key.name(), key.masked(standard), "", "default", true, note);
        }
        return new Value(
                key.name(),
                shown(key.name(), setting, lookup),
                written(key.name(), setting, lookup),
                setting.origin().toString(),
                false,
                effect(key));
    }

    private static String effect(Key<?> key) {
        return switch (key.support()) {
            case NOW, REFUSED -> "";
            case LATER -> "has no effect in this version";
            case INERT -> "has no effect";
        };
    }

    private static boolean isUnusable(@Nullable Setting setting) {
        return setting != null && setting.isUnusable();
    }

    private static String shown(String key, Setting setting, Lookup lookup) {
        return hasSecret(setting, lookup) ? Key.masked("password", setting.text()) : Masking.shown(key, setting.text());
    }

    /** Of a secret only a single placeholder is shown: any other text may have a part of it. */
    private static String written(String key, Setting setting, Lookup lookup) {
        String raw = setting.raw();
        boolean mayShow = !(Key.isSecret(key) || hasSecret(setting, lookup)) || SecretText.isOnePlaceholder(raw);
        return raw.equals(setting.text()) || !mayShow ? "" : Masking.value(raw);
    }

    private static boolean hasSecret(Setting setting, Lookup lookup) {
        return setting.content() == Setting.Content.SECRET || SecretText.hasSecret(setting.raw(), lookup);
    }
}
