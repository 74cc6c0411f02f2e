package io.sluice.deployer.command;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that all verbs have, and the layout of their help texts. */
@Command(
        synopsisHeading = SluiceCommand.SYNOPSIS_HEADING,
        descriptionHeading = "%n",
        parameterListHeading = "%n",
        optionListHeading = "%n",
        sortOptions = false,
        sortSynopsis = false)
final class CommonOptions {
    @Option(names = "--conf", paramLabel = "FILE", description = "another file for conf/canal.properties")
    @Nullable String conf;

    @Option(names = "--help", usageHelp = true, description = "show this text")
    boolean help;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    CommandSpec verb;

    Optional<String> configFile() {
        return Optional.ofNullable(conf);
    }

    /** Arguments that make no sense; the message states which. */
    ParameterException usageError(@Nullable String message) {
        return new ParameterException(verb.commandLine(), String.valueOf(message));
    }
}
