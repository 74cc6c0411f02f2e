package io.sluice.server.config.text;

import java.lang.management.ManagementFactory;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What a configuration takes from the process and the machine it is read on.
 *
 * @param systemProperties the JVM's properties, which win over everything
 * @param variables the environment, which wins over files where names are the dotted keys themselves; <code>${env:NAME}</code> takes any
 * @param address the machine's own IPv4 address, which generated replica ids are made of
 * @param processors how many processors there are
 * @param options the options that the JVM was started with, in their order: of {@code -D} they have what was given, where Java sets the property to
 *     another value
 */
public record Environment(
        Map<String, String> systemProperties,
        Map<String, String> variables,
        Inet4Address address,
        int processors,
        List<String> options) {
    public Environment {
        systemProperties = Map.copyOf(systemProperties);
        variables = Map.copyOf(variables);
        options = List.copyOf(options);
    }

    /** An environment of a JVM without options. */
    public Environment(
            Map<String, String> systemProperties, Map<String, String> variables, Inet4Address address, int processors) {
        this(systemProperties, variables, address, processors, List.of());
    }

    /** Without the values, which may be passwords. */
    @Override
    public String toString() {
        return "Environment[address=%s, processors=%d]".formatted(address, processors);
    }

    /** The environment of this process. */
    public static Environment ofThisProcess() {
        Properties properties = System.getProperties();
        Map<String, String> copy = new TreeMap<>();
        for (String name : properties.stringPropertyNames()) {
            copy.put(name, properties.getProperty(name, ""));
        }
        return new Environment(
                copy,
                System.getenv(),
                firstAddress(),
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    /** The first IPv4 address that is not the loopback one; else that. */
    private static Inet4Address firstAddress() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                    .map(Inet4Address.class::cast)
                    .findFirst()
                    .orElseGet(Environment::loopback);
        } catch (SocketException e) {
            return loopback();
        }
    }

    private static Inet4Address loopback() {
        try {
            return (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are always an address", e);
        }
    }
}
