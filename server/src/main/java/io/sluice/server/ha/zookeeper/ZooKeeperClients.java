package io.sluice.server.ha.zookeeper;

import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.config.cluster.ZooKeeperAccess;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.data.ACL;

/** Makes clients of ZooKeeper as they are configured. */
final class ZooKeeperClients {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int RETRY_MILLIS = 200;

    /** A list whose {@code contains} accepts null, with which ZooKeeper calls it. */
    private static final List<ACL> CREATOR_WRITES = Collections.unmodifiableList(
            Arrays.asList(ZooDefs.Ids.CREATOR_ALL_ACL.get(0), ZooDefs.Ids.READ_ACL_UNSAFE.get(0)));

    private ZooKeeperClients() {}

    /** Makes a client that is not started; its calls fail instead of waiting long while ZooKeeper is unreachable. */
    static CuratorFramework of(ClusterConfig config) {
        ZooKeeperAccess access = config.access();
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(config.connectString())
                .sessionTimeoutMs((int) config.sessionTimeout().toMillis())
                .connectionTimeoutMs(CONNECT_MILLIS)
                .retryPolicy(new RetryOneTime(RETRY_MILLIS))
                .aclProvider(new NodeAcl(access.acl()))
                .zookeeperFactory(new PlainCreates())
                .zkClientConfig(client(access))
                .maxCloseWaitMs(1_000);
        access.login()
                .ifPresent(login -> builder.authorization(
                        "digest", (login.user() + ":" + login.password().value()).getBytes(StandardCharsets.UTF_8)));
        return builder.build();
    }

    /** The values of ZooKeeper's own system properties, but for what is configured. */
    private static ZKClientConfig client(ZooKeeperAccess access) {
        ZKClientConfig client = new ZKClientConfig();
        access.tls().ifPresent(tls -> {
            client.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
            // The other transport does not know TLS.
            client.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
            try (ClientX509Util names = new ClientX509Util()) {
                client.setProperty(names.getSslHostnameVerificationEnabledProperty(), "" + tls.hostNames());
                tls.trust()
                        .ifPresent(store -> set(
                                client,
                                store,
                                names.getSslTruststoreLocationProperty(),
                                names.getSslTruststoreTypeProperty(),
                                names.getSslTruststorePasswdProperty()));
                tls.key()
                        .ifPresent(store -> set(
                                client,
                                store,
                                names.getSslKeystoreLocationProperty(),
                                names.getSslKeystoreTypeProperty(),
                                names.getSslKeystorePasswdProperty()));
            }
        });
        return client;
    }

    private static void set(ZKClientConfig client, KeyStoreFile store, String location, String type, String password) {
        client.setProperty(location, store.location());
        client.setProperty(type, store.type());
        if (!store.password().isEmpty()) {
            client.setProperty(password, store.password());
        }
    }

    /** The access control list of every node that is created. */
    private record NodeAcl(ZooKeeperAccess.Acl acl) implements ACLProvider {
        @Override
        public List<ACL> getDefaultAcl() {
            return switch (acl) {
                case OPEN -> ZooDefs.Ids.OPEN_ACL_UNSAFE;
                case CREATOR -> CREATOR_WRITES;
            };
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return getDefaultAcl();
        }
    }
}
