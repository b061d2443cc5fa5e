// What makes the program write the file of one export instead of being the service. Apart from the worker, which loads all formats.

/** The first word of the command line. */
export const exportWorkerCommand = "export-worker";
