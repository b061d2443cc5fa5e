// Leaves the collection of garbage to the runtime: a service collects after large bodies, which takes a third of a second in a process
// that holds what all tests of a part have made. `prove/` shows how much memory a service takes, in a process of its own.
Bun.gc = () => 0;
