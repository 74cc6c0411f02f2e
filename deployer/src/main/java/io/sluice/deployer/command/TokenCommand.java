package io.sluice.deployer.command;

import io.sluice.server.api.TokenFile;
import io.sluice.server.config.port.ControlConfig;
import io.sluice.server.config.port.ControlRole;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code token}: makes, lists and removes the tokens by which the control API of the server here may be called. */
@Command(name = "token", description = "make, list or remove a token that may call the control API of the server here")
final class TokenCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "add|list|remove", description = "add prints the token, once")
    String action = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "the caller, for the audit log")
    @Nullable String name;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = "viewer, operator or administrator; ${DEFAULT-VALUE} if it is not given")
    String role = "viewer";

    @Option(
            names = "--save",
            description = "also write the token to conf/control-token, which only this user can read, for sluice.sh")
    boolean save;

    @Mixin
    final CommonOptions common = new CommonOptions();

    TokenCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        try {
            Path file = file();
            switch (action) {
                case "add" -> add(file);
                case "list" -> list(file);
                case "remove" -> remove(file);
                default -> throw common.usageError("there is no action " + action);
            }
            return ExitCode.DONE;
        } catch (FileSystemException e) { // whose message is often no more than the path
            context.errors()
                    .println(
                            "a file of the tokens cannot be read or written: %s: check the permissions of the file and of its directory, and its disk"
                                    .formatted(e));
            return ExitCode.FAILED;
        } catch (IOException | IllegalArgumentException e) {
            context.errors().println(e.getMessage());
            return ExitCode.FAILED;
        }
    }

    private Path file() throws IOException {
        return context.server(context.configFile(common.configFile()))
                .control()
                .map(ControlConfig::accessFile)
                .orElseThrow(() -> new IOException("the control API is off: canal.control.port"));
    }

    private void add(Path file) throws IOException {
        ControlRole wanted = ControlRole.find(role)
                .orElseThrow(() -> common.usageError(
                        "there is no role " + role + ", there are viewer, operator and administrator"));
        boolean isFirst = TokenFile.read(file).isEmpty();
        String token = TokenFile.add(file, needed(), wanted);
        context.out().println(token);
        if (save) {
            Path saved =
                    context.baseDirectory().resolve("../conf/control-token").normalize();
            TokenFile.save(saved, token);
            context.errors().println("written to " + saved);
        }
        if (isFirst) {
            context.errors()
                    .println(
                            "a server that runs opens the port at its next start; after that, tokens take effect within seconds");
        }
    }

    private void list(Path file) throws IOException {
        if (!Files.exists(file)) {
            context.out().println("there is no token: " + file);
        }
        for (TokenFile.Item item : TokenFile.read(file)) {
            context.out().println(item.name() + " " + item.role().spelling());
        }
    }

    private void remove(Path file) throws IOException {
        if (!TokenFile.remove(file, needed())) {
            throw new IllegalArgumentException("there is no token of the name " + name);
        }
        context.out().println(name + " was removed");
    }

    private String needed() {
        String given = name;
        if (given == null) {
            throw common.usageError(action + " needs a name");
        }
        return given;
    }
}
