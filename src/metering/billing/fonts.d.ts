// Fonts are files that go along into a compiled program: what is imported is where the file is.
declare module "*.ttf" {
  const path: string;
  export default path;
}
