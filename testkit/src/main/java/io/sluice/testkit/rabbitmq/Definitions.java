package io.sluice.testkit.rabbitmq;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Users, their virtual hosts and their rights, in the JSON that RabbitMQ loads at its start. */
final class Definitions {
    private static final RabbitMqOptions.User GUEST = new RabbitMqOptions.User("guest", "guest", "/", ".*", ".*", "");
    private static final byte[] SALT = {1, 2, 3, 4};

    private Definitions() {}

    /** With the user {@code guest}, which RabbitMQ itself makes only where nothing is loaded. */
    static String of(List<RabbitMqOptions.User> others) {
        List<RabbitMqOptions.User> all = new ArrayList<>(others);
        all.add(0, GUEST);
        Set<String> hosts = new TreeSet<>();
        List<String> users = new ArrayList<>();
        List<String> rights = new ArrayList<>();
        List<String> topics = new ArrayList<>();
        for (RabbitMqOptions.User user : all) {
            hosts.add("{\"name\":\"%s\"}".formatted(user.virtualHost()));
            users.add(
                    ("{\"name\":\"%s\",\"password_hash\":\"%s\",\"hashing_algorithm\":\"rabbit_password_hashing_sha256\","
                                    + "\"tags\":\"%s\"}")
                            .formatted(user.name(), hash(user.password()), user.equals(GUEST) ? "administrator" : ""));
            rights.add("{\"user\":\"%s\",\"vhost\":\"%s\",\"configure\":\"%s\",\"write\":\"%s\",\"read\":\".*\"}"
                    .formatted(user.name(), user.virtualHost(), user.configure(), user.write()));
            if (!user.topics().isEmpty()) {
                topics.add(
                        "{\"user\":\"%s\",\"vhost\":\"%s\",\"exchange\":\"amq.topic\",\"write\":\"%s\",\"read\":\".*\"}"
                                .formatted(user.name(), user.virtualHost(), user.topics()));
            }
        }
        return "{\"vhosts\":[%s],\"users\":[%s],\"permissions\":[%s],\"topic_permissions\":[%s]}"
                .formatted(
                        String.join(",", hosts),
                        String.join(",", users),
                        String.join(",", rights),
                        String.join(",", topics));
    }

    private static String hash(String password) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(SALT);
            byte[] hash = digest.digest(password.getBytes(StandardCharsets.UTF_8));
            byte[] salted = new byte[SALT.length + hash.length];
            System.arraycopy(SALT, 0, salted, 0, SALT.length);
            System.arraycopy(hash, 0, salted, SALT.length, hash.length);
            return Base64.getEncoder().encodeToString(salted);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
