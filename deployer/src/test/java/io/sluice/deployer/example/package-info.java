/** Short programs that show how records of queues are read. */
@NullMarked
package io.sluice.deployer.example;

import org.jspecify.annotations.NullMarked;
