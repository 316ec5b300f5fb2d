package dev.assay.work.confine;

/** A way to the outside that a ruleset of {@link Landlock} closes. The constants' order has no meaning. */
public enum Wall {
    /** Files and directories, but for those that rules open. */
    FILES,
    /** Connections by TCP, but for the ports that rules open. From Landlock's version 4 on; open before. */
    CONNECT,
    /** Listening by TCP. From version 4 on; open before. */
    BIND,
    /** Signals to processes outside, and connections to their abstract Unix sockets. From version 6 on; open before. */
    PROCESSES
}
