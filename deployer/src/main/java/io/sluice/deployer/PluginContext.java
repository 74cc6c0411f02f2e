package io.sluice.deployer;

import java.util.function.Supplier;

/**
 * Calls a plugin with its own class loader as the thread's context: broker clients look there for the classes that their options
 * name, and the threads they start inherit it.
 */
record PluginContext(ClassLoader loader) {
    /** That of the plugin which brings a class. */
    static PluginContext of(Object plugin) {
        return new PluginContext(plugin.getClass().getClassLoader());
    }

    /** A call that may be interrupted. */
    interface Blocking {
        void run() throws InterruptedException;
    }

    <T> T call(Supplier<T> call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return call.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    void run(Blocking call) throws InterruptedException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            call.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
