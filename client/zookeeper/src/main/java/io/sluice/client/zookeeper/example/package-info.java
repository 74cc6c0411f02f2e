/** A short program that shows how a client follows its destination. */
@NullMarked
package io.sluice.client.zookeeper.example;

import org.jspecify.annotations.NullMarked;
