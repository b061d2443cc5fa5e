// Loads the sign-in library, when somebody first needs it: it takes longer than the rest of the service, and most nodes start for calls.

/** Settings of the library that would beat ours, whoever set them for whatever program. */
const isForeignSetting = (name: string): boolean => name.startsWith("BETTER_AUTH_") || name === "AUTH_SECRET";

export async function loadAuth() {
  for (const name of Object.keys(process.env)) if (isForeignSetting(name)) delete process.env[name];
  // Before the library, in a step of its own: in the executable, a static import of both comes too late for what asks for it.
  await import("reflect-metadata");
  return import("./auth.ts");
}
