package io.sluice.deployer.demo;

import java.util.Map;
import java.util.Optional;

/**
 * The options of {@code demo.sh}, which checks them and passes them on as system properties.
 *
 * @param form in which form messages leave and are shown
 * @param once whether to end when the first changes have arrived
 * @param colour whether to use colours
 * @param ownServer the reader's own MySQL; empty to start one
 */
record DemoOptions(Form form, boolean once, boolean colour, Optional<OwnServer> ownServer) {
    /** A server that runs already. */
    record OwnServer(String host, int port, String user, String password) {
        @Override
        public String toString() {
            return user + "@" + host + ":" + port;
        }
    }

    static DemoOptions of(Map<String, String> environment) {
        String address = environment.getOrDefault("DEMO_MYSQL", "");
        Optional<OwnServer> own = Optional.empty();
        if (!address.isEmpty()) {
            int colon = address.lastIndexOf(':');
            own = Optional.of(new OwnServer(
                    colon < 0 ? address : address.substring(0, colon),
                    colon < 0 ? 3306 : Integer.parseInt(address.substring(colon + 1)),
                    environment.getOrDefault("DEMO_USER", "root"),
                    environment.getOrDefault("MYSQL_PWD", "")));
        }
        return new DemoOptions(
                Form.valueOf(environment.getOrDefault("DEMO_FORM", Form.LINES.name())),
                environment.containsKey("DEMO_ONCE"),
                environment.containsKey("DEMO_COLOUR"),
                own);
    }
}
