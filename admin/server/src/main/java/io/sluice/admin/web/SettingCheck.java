package io.sluice.admin.web;

import io.sluice.admin.problem.StartProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.stereotype.Component;

/**
 * Rejects keys below {@code sluice.} that do not exist: a key that is misspelt would have no effect, and the default would apply.
 *
 * <p>It runs before anything is made of the configuration, so that no database is opened or changed.
 */
@Component
class SettingCheck implements BeanFactoryPostProcessor {

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        ConfigurableEnvironment environment = beans.getBean(ConfigurableEnvironment.class);
        KnownSettings known =
                new KnownSettings(Stream.of(beans.getBeanNamesForAnnotation(ConfigurationProperties.class))
                        .flatMap(name -> Stream.<Class<?>>ofNullable(beans.getType(name, false)))
                        .toList());
        List<String> unknown = new ArrayList<>();
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> listed) {
                for (String name : listed.getPropertyNames()) {
                    problem(listed, name, known).ifPresent(unknown::add);
                }
            }
        }
        if (!unknown.isEmpty()) {
            throw new StartProblem(
                    "There are keys that do not exist:\n  " + String.join("\n  ", unknown),
                    "Correct or remove them. These exist:\n  " + String.join("\n  ", known.all()));
        }
    }

    private static Optional<String> problem(EnumerablePropertySource<?> source, String name, KnownSettings known) {
        return switch (source.getName()) {
            case StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME ->
                known.meantByVariable(name)
                        .map(meant -> "environment variable %s: it sets no key; did you mean %s, for %s?"
                                .formatted(name, variable(meant), meant));
            case StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME ->
                known.meantByVariable(name.replace('.', '_'))
                        .map(meant -> "-D%s: there is no such key; did you mean %s?".formatted(name, meant));
            default ->
                known.isKnown(name)
                        ? Optional.empty()
                        : Optional.of(place(source, name) + ": there is no such key"
                                + known.nearest(name)
                                        .map(meant -> "; did you mean " + meant + "?")
                                        .orElse(""));
        };
    }

    private static String variable(String key) {
        return key.replace('.', '_').replace("-", "").toUpperCase(Locale.ROOT);
    }

    /** The key with where it is, without its value, which may be a secret. */
    private static String place(PropertySource<?> source, String name) {
        if (source.getName().equals(CommandLinePropertySource.COMMAND_LINE_PROPERTY_SOURCE_NAME)) {
            return "--" + name;
        }
        Origin origin = OriginLookup.getOrigin(source, name);
        return origin instanceof TextResourceOrigin text && text.getLocation() != null && text.getResource() != null
                ? "%s:%d: %s"
                        .formatted(
                                text.getResource().getFilename(),
                                text.getLocation().getLine() + 1,
                                name)
                : name;
    }
}
