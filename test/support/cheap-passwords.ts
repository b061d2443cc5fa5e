// Hashes passwords at the lowest cost: each hash at the real one takes 20 ms of a processor, and the tests need hundreds.
// test/operations/executable.test.ts shows the real cost, which the program has.
const { hash } = Bun.password;

Bun.password.hash = (password) => hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
