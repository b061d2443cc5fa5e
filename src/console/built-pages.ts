// The console's pages that this process serves: bundled now, but read from the executable or, in tests, from what was bundled for it.
export { buildConsole as builtPages } from "./build-pages.ts";
