package io.sluice.server.config.load;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.remote.AdminException;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.OutsideValues;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Warning;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a server's configuration is: in its files, or at an admin server. The methods are documented at {@link ConfigReader}. */
sealed interface TextsSource permits FileTextsSource, ManagedTextsSource {
    /** The texts that were read last; thread-safe. */
    ConfigTexts texts();

    /** Reads the values that placeholders of these texts name outside of them. */
    OutsideValues outside();

    Configuration start() throws ConfigException, AdminException, InterruptedException;

    /**
     * Reads the texts for a command.
     *
     * @param warnings gets warnings about the source
     */
    ReadConfiguration readOnce(List<Warning> warnings) throws ConfigException;

    void requireStart() throws ConfigException;

    ReadConfiguration read();

    void takenOver(@Nullable String only);

    /** What was wrong with single instances at {@link #start}, by destination. */
    Map<String, List<Problem>> problemsAtStart();
}
