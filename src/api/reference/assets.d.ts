// Files that are imported as text, so that they are part of a compiled program too.
declare module "*.css" {
  const text: string;
  export default text;
}
