// What makes the program read or write one file instead of being the service. Apart from the worker, which loads all parsers.

/** The first word of the command line. */
export const formatWorkerCommand = "format-worker";
