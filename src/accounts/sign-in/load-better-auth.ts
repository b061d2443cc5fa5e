// Loads Better Auth when it is first needed: it takes longer than the rest of the service, and most nodes serve API requests only.

/** The environment of another program could override our settings of Better Auth. */
const isForeignSetting = (name: string): boolean => name.startsWith("BETTER_AUTH_") || name === "AUTH_SECRET";

export async function loadBetterAuth() {
  for (const name of Object.keys(process.env)) if (isForeignSetting(name)) delete process.env[name];
  // Better Auth needs this loaded first. In the executable, a static import of both would load it too late.
  await import("reflect-metadata");
  return import("./better-auth-settings.ts");
}
