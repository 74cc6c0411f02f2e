package io.sluice.client.zookeeper.example;

import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.client.example.PrintChanges;
import io.sluice.client.zookeeper.ZooKeeperFinder;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Prints every change of a destination, whichever server runs it: {@code FollowChanges ZOOKEEPER DESTINATION [FILTER]}. */
public final class FollowChanges {
    private FollowChanges() {}

    public static void main(String[] args) throws IOException {
        follow(args[0], args[1], args.length > 2 ? args[2] : "", System.out, () -> false);
    }

    /** Prints until it has printed enough; it fails when no server was there for a minute. */
    public static void follow(
            String zooKeeper, String destination, String filter, PrintStream out, BooleanSupplier isEnough)
            throws IOException {
        try (PullClient client = PullClient.follow(
                ClientOptions.of(destination), ZooKeeperFinder.of(zooKeeper, destination), Duration.ofMinutes(1))) {
            PrintChanges.print(client, filter, out, isEnough);
        }
    }
}
