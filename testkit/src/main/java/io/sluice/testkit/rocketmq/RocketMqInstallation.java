package io.sluice.testkit.rocketmq;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.MQVersion;

/**
 * RocketMQ's server programs, as the build has unpacked them; of the same version as the client on the class path.
 *
 * @param home the folder with {@code lib}
 */
record RocketMqInstallation(Path home) {
    /** Finds it; fails if the build has not unpacked it. */
    static RocketMqInstallation find() {
        String version =
                MQVersion.getVersionDesc(MQVersion.CURRENT_VERSION).substring(1).replace('_', '.');
        Path home = Folders.servers().resolve("rocketmq-" + version);
        if (!Files.isDirectory(home.resolve("lib"))) {
            throw new IllegalStateException(home + " has no broker: build the module testkit first");
        }
        return new RocketMqInstallation(home);
    }

    /**
     * Starts one of the programs.
     *
     * @param folder receives all that it writes
     * @param conf its configuration
     * @param log the name of a file in the folder
     */
    ServerProcess start(
            String mainClass, List<String> jvmOptions, List<String> moreOptions, Path folder, Path conf, String log) {
        List<String> command = new ArrayList<>();
        command.add(Commands.java());
        command.addAll(jvmOptions);
        command.addAll(moreOptions);
        command.add("-Duser.home=" + folder); // where they would write their logs
        command.add("-Dtls.server.mode=disabled"); // else they make an RSA key at each start
        command.add("--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
        command.addAll(List.of("-cp", home.resolve("lib") + "/*", mainClass, "-c", conf.toString()));
        return ServerProcess.start(command, Map.of("ROCKETMQ_HOME", folder.toString()), folder, folder.resolve(log));
    }
}
