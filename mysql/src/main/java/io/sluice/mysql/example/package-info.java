/** A short program that shows how the replication client is used. */
@NullMarked
package io.sluice.mysql.example;

import org.jspecify.annotations.NullMarked;
