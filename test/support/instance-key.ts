// The instance key of the tests.

/** The same for every instance: nodes and restored databases need the same one. */
export const testInstanceKey = "the-instance-key-of-all-tests-which-have-no-secrets";
